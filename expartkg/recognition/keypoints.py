"""Points of a picture that can be found again in another one of the same work.

Two paintings may look alike as a whole, but their corners and spots do not lie alike: points by
ORB (E. Rublee et al., ICCV 2011) agree if one homography maps them onto each other, which is how
a flat thing changes between two photographs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

KEPT_POINTS = 300
"""Points of a picture in an index, 36 bytes each."""

SEEN_POINTS = 700
"""Points of a picture that is looked up: more, since a wall and a frame have some as well."""

LONGEST_SIDE = 400
FAST_THRESHOLD = 5
"""Low, so that a blurred or dark photograph still has points."""

RATIO = 0.8
"""The best match of a point must be this much nearer than the second (D. Lowe, IJCV 2004)."""

TOLERANCE = 6.0
"""Pixels by which a point may miss its place."""

FEWEST = 6
MOST_SHRUNK = 0.05
"""The area of a picture in a photograph of it, as a share of its own."""

DESCRIPTOR_BYTES = 32


@dataclass(frozen=True, slots=True, eq=False)
class Keypoints:
    """Points in pixels, shape (n, 2), of a picture 400 pixels long, and descriptors, (n, 32)."""

    points: NDArray[np.float16]
    descriptors: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.points)


def find_keypoints(picture: Image, most: int) -> Keypoints:
    """The `most` clearest points of an RGB picture; none in a picture of one colour."""
    import cv2
    import numpy as np

    detector = cv2.ORB.create(nfeatures=most, fastThreshold=FAST_THRESHOLD)
    found, descriptors = detector.detectAndCompute(_grey(picture), None)
    if not found:
        return Keypoints(np.empty((0, 2), np.float16), np.empty((0, DESCRIPTOR_BYTES), np.uint8))
    # A few more than `most` come back, in the order of the pyramid's levels.
    best = sorted(range(len(found)), key=lambda place: -found[place].response)[:most]
    points = np.array([found[place].pt for place in best], dtype=np.float16)
    return Keypoints(points, np.asarray(descriptors, dtype=np.uint8)[best])


def agreeing(known: Keypoints, seen: Keypoints) -> int:
    """How many points of `known` are in `seen` too, at places that one homography explains."""
    import cv2
    import numpy as np

    pairs = _matches(known, seen)
    if len(pairs) < FEWEST:
        return 0
    here = np.array([known.points[match.queryIdx] for match in pairs], dtype=np.float32)
    there = np.array([seen.points[match.trainIdx] for match in pairs], dtype=np.float32)
    cv2.setRNGSeed(0)
    homography, inliers = cv2.findHomography(here, there, cv2.RANSAC, TOLERANCE)
    if homography is None or not _is_view(homography, here):
        return 0
    return int(inliers.sum())


def _matches(known: Keypoints, seen: Keypoints) -> list[Any]:
    import cv2

    if len(known) < FEWEST or len(seen) < FEWEST:
        return []
    matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
    found = matcher.knnMatch(known.descriptors, seen.descriptors, k=2)
    clear = [best for best, second in found if best.distance < RATIO * second.distance]
    # Several points that land on one would agree with any homography that shrinks to it.
    clear.sort(key=lambda match: -match.distance)
    return list({match.trainIdx: match for match in clear}.values())


def _is_view(homography: NDArray[Any], points: NDArray[np.float32]) -> bool:
    """Whether a picture can look so in a photograph: not mirrored, folded, nor tiny or huge."""
    import cv2
    import numpy as np

    left, top, width, height = cv2.boundingRect(points)
    corners = np.array(
        [(left, top), (left + width, top), (left + width, top + height), (left, top + height)],
        dtype=np.float32,
    )
    seen = cv2.perspectiveTransform(corners[None], homography)[0]
    if not (np.isfinite(seen).all() and cv2.isContourConvex(seen)):
        return False
    scale = cv2.contourArea(seen, oriented=True) / cv2.contourArea(corners, oriented=True)
    return MOST_SHRUNK < scale < 1 / MOST_SHRUNK


def _grey(picture: Image) -> NDArray[np.uint8]:
    import numpy as np
    from PIL import Image as Images

    scale = LONGEST_SIDE / max(picture.size)
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    return np.asarray(picture.resize(size, Images.Resampling.LANCZOS).convert("L"))
