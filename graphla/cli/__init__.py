"""The command ``graphla``: info, run, compare, generate, convert, graph500."""
