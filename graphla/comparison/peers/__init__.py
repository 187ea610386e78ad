"""Tables of implementations, a file for each library: its best public call for each algorithm.

Every module here defines `IMPLEMENTATIONS`, which :mod:`graphla.comparison.implementations`
collects, and imports its library inside functions only.
"""
