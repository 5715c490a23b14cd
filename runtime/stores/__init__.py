"""Where originals and the ledger are kept: one protocol (`store`), and memory, SQLite, files and Redis behind it."""
