"""The decision about one result: the order of its steps (`walk`), a file for each, what is shown and what is kept."""
