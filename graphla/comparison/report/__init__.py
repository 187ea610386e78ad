"""A comparison as a table, a chart and an HTML page."""
