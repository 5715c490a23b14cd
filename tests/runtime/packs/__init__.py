"""Packs in use: features, signatures, versions, owners, and the exchange of packs in a running process."""
