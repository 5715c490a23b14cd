"""The comparison of packs."""
