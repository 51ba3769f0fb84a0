"""Files and folders, written as a whole or not at all, and the formats in them."""

from numberline.files.whole_file import replace_file
from numberline.files.whole_folder import free_folder, make_folder, replace_folder

__all__ = ["free_folder", "make_folder", "replace_file", "replace_folder"]
