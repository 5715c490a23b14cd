"""What a change of rules changes: packs or rule files compared, as values and as text."""
