"""`make bench-peers`: other compressors of tool output on the same inputs, each in an environment of its own.

`inputs` makes the texts and the facts in them, `environments` installs the peers, `drivers/` holds one script per peer
that runs inside its environment, `measure` runs everything and counts, `__main__` prints the table.
"""
