"""What sources tell while they are read: the bytes read so far, and how many texts are missing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Report:
    """What has been read of a corpus so far."""

    bytes_read: int = 0  # of stored bytes
    missing_texts: int = 0  # rows or elements without text, which are left out
    _bytes_before: int = 0  # in the sources before the one that is being read

    def bytes_of_source(self, size: int) -> None:
        """Take note that `size` bytes of the present source have been read."""
        self.bytes_read = max(self.bytes_read, self._bytes_before + size)

    def next_source(self) -> None:
        self._bytes_before = self.bytes_read
