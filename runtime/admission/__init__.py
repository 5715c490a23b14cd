"""Admission by content: what a result is, told by its look, and the forms in which each kind of content is shown.

`kinds.py` names the kinds, `registry.py` lists the modules that know one each, `classify.py` tells the kind of a text,
`router.py` admits a text; every other file is one kind. Text is parsed, never executed; nothing is loaded until asked.
"""
