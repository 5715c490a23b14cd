"""The way back to an original: windows of it, search in it, and the tool that a model calls for that."""
