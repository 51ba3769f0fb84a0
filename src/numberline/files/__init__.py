"""Files and folders, written as a whole or not at all, and the formats in them."""
