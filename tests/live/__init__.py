"""Facts of the curated rules against an independent truth, told by the tools of this machine."""
