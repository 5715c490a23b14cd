"""The places where people run agents, each in a module that is imported only by who uses it."""
