"""Cases that every implementation of the codecs of rows has to answer alike: Python's, and the native one."""
