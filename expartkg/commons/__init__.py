"""Pictures of works from Wikimedia Commons, with the credit that they may not be shown without.

Reading order: `fetching` is the whole errand; `addresses` says which file is meant, `listing` what
Commons says of it, `web` how its hosts are asked, `shelf` where pictures are kept.
"""

from expartkg.commons.addresses import WIDTHS
from expartkg.commons.fetching import Commons
from expartkg.commons.records import CommonsPicture, Credit

__all__ = ["WIDTHS", "Commons", "CommonsPicture", "Credit"]
