"""Golden files: recorded facts that must survive renaming and moving code.

`python -m tests.golden.update` rewrites them; the difference is reviewed with the change.
"""
