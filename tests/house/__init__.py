"""The house itself: which room imports which, what is packed, what an installed copy can do."""
