"""Which work a picture shows: the nearest pictures of an index, verified point by point.

Reading order: `recogniser` is the whole question; `index` is what pictures are compared with,
`encoders` makes a vector of a picture, `keypoints` the points that must agree, `building` fills an
index. Nothing heavy is imported until a picture is looked at.
"""

from expartkg.recognition.encoders import ENCODER, Encoder, load_encoder
from expartkg.recognition.index import Entry, PictureIndex
from expartkg.recognition.recogniser import Likeness, Recogniser, Recognition

__all__ = [
    "ENCODER",
    "Encoder",
    "Entry",
    "Likeness",
    "PictureIndex",
    "Recogniser",
    "Recognition",
    "load_encoder",
]
