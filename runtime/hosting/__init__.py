"""A compressor in a process that lives on: wrapped tools, work off the event loop, routes, the breaker, events."""
