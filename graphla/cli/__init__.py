"""The command ``graphla``: info, run, compare, generate, convert and graph500."""
