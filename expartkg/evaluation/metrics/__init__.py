"""The measures of Section 4 and Appendix A.5, one a file.

Each takes a generated text and its reference, as read by `reading.Reader` or as they are, and
gives what the corpus value is computed from; `scoring` puts them together.
"""
