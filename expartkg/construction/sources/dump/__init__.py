"""A dump of all of Wikidata as a source: a file that is far too large to be held or read twice.

`file` reads it line by line, `json_lines` and `triples` make entities of the lines, `source` takes
those that a build needs.
"""
