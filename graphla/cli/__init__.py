"""The command line: ``graphla info``, ``run``, ``compare``, ``generate``, ``convert``, ``graph500``."""
