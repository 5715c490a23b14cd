"""The savings report."""
