"""Files and folders, written as a whole or not at all, and the formats in them."""

from numberline.files.whole_file import replace_file
from numberline.files.whole_folder import make_folder, require_free

__all__ = ["make_folder", "replace_file", "require_free"]
