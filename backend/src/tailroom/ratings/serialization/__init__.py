"""Ratings in the forms in which they are sent: rows, tests, tables, badges, pages."""
