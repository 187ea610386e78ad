"""A comparison as a table, a chart and a page."""
