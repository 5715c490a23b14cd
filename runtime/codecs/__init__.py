"""The codecs: transforms of structured and repetitive results, each with a declared guarantee.

`codec.py` says what a codec is, `registry.py` finds one by its name; every other file is one codec or a part of one.
"""
