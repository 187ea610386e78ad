"""Golden files: what a change of names and places must leave as it is.

`python -m tests.golden.update` writes them anew, to be reviewed as a part of a change.
"""
