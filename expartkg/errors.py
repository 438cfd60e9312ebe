"""Every error that a person may see. The message says what happened and what to do about it.

    ExpArtError
    ├── UsageError           the call is wrong: an unknown option or value (exit code 2)
    ├── GraphError           a graph cannot be opened or read
    │   └── UnknownEntityError   an id that the graph does not have, or that is ambiguous
    ├── QueryError           a SPARQL query is refused or malformed, or it was stopped
    ├── SourceError          an input file of a graph's construction is missing or malformed
    ├── PictureError         a file is not a picture that the guide can read
    ├── CommonsError         a picture cannot be had from Wikimedia Commons
    ├── RecognitionError     pictures cannot be recognised, or an index of them cannot be used
    ├── RunFormatError       a document is not an exported Run
    ├── DataError            a file of questions, answers or results is missing or malformed
    └── EngineError          an engine cannot start, or failed while answering or judging

The command line prints the message as one line and exits with 1 (2 for `UsageError`); the page
shows it at the field or in the status line. Nothing here is ever shown as a traceback.
"""

from __future__ import annotations


class ExpArtError(Exception):
    """Base of all errors whose message is meant for the user."""


class UsageError(ExpArtError):
    """The call itself is wrong."""


class GraphError(ExpArtError):
    """A graph is missing, damaged, empty or in an unknown format."""


class UnknownEntityError(GraphError):
    """The graph has no entity of that id, or several whose short ids clash."""


class QueryError(ExpArtError):
    """A SPARQL query is not one that this guide answers, or it was stopped at a limit."""


class SourceError(ExpArtError):
    """An input file of a graph's construction is missing or malformed."""


class PictureError(ExpArtError):
    """A file is not a picture that the guide can read."""


class CommonsError(ExpArtError):
    """A picture cannot be had from Wikimedia Commons; the guide can go on without it."""


class RecognitionError(ExpArtError):
    """Pictures cannot be recognised here, or an index of pictures is missing or damaged."""


class RunFormatError(ExpArtError):
    """A document is not an exported Run of a schema that this version reads."""


class DataError(ExpArtError):
    """A file of questions, answers or results of an evaluation is missing or malformed."""


class EngineError(ExpArtError):
    """An engine cannot start, or failed while answering or judging."""


def in_one_line(told: object) -> str:
    """What another program says of its failure: 200 characters of it at most, in one line."""
    return " ".join(str(told).split())[:200]
