"""Ranks that are processes of one machine, started by the process that calls them."""
