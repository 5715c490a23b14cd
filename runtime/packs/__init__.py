"""Compiled packs: read, checked and held against keys, and which of them claims what."""
