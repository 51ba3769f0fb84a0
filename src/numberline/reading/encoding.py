"""A corpus → its vocabulary and the ids of its tokens, in memory or in a folder."""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from numberline.errors import CorpusError, setting_name, setting_text
from numberline.files.tensors import Pieces
from numberline.files.whole_folder import FolderWriter
from numberline.reading.corpus import Corpus
from numberline.reading.counting import CorpusCounter, LineJoiner, NumberedBlock, Progress
from numberline.reading.encoded import EncodedCorpus, load_encoded, write_encoded
from numberline.reading.parallel import ordered_map
from numberline.reading.spool import Spool
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import ReadingSettings

if TYPE_CHECKING:
    from numberline._native import Renumbering

# Limits of the memory for ids and line lengths; what exceeds them goes to a temporary file.
IN_MEMORY_BYTES = 2 << 30  # if the result is to stay in memory
SPOOL_BYTES = 256 << 20  # if the result is written to a folder

RenumberedBlocks = Iterator[tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]]
"""One pair per block: its final ids, and the offsets at which its sentences end."""


def encode(
    corpus: Corpus,
    settings: ReadingSettings,
    writer: FolderWriter | None = None,
    progress: Progress | None = None,
) -> EncodedCorpus:
    """Return the encoded corpus; with a writer it is kept in a folder and mapped instead of loaded.

    Without one, a result that is too large for memory is in a temporary file, which the system
    deletes with the process.
    """
    counter = CorpusCounter(settings)
    with Spool(IN_MEMORY_BYTES) if writer is None else spool_beside(writer) as spool:
        for block in counter.run(corpus, keep_ids=True, progress=progress):
            spool.append(block)
        vocabulary, renumberings = counter.vocabulary()
        if not vocabulary.kept_tokens:
            raise CorpusError(
                f"no word occurs {setting_text('min_count', settings.min_count)} times, and there "
                f"are no numerals; lower {setting_name('min_count')} or add text"
            )
        del counter  # frees its large tables; only the renumberings are still needed
        blocks = renumbered(spool, renumberings)
        if writer is not None:
            with writer.replace() as new_folder:
                encode_to_folder(blocks, vocabulary, settings, new_folder)
            return load_encoded(writer.folder)
        if spool.is_on_disk:
            return encode_to_temporary_file(blocks, vocabulary, settings)
        return encode_in_memory(blocks, vocabulary, settings, spool.ids_in_memory)


def spool_beside(writer: FolderWriter) -> Spool:
    """Return a spool on the folder's disk, since the system's temporary folder may be small."""
    return Spool(SPOOL_BYTES, writer.scratch)


def renumbered(spool: Spool, renumberings: Sequence[Renumbering]) -> RenumberedBlocks:
    """Yield the blocks of the spool with final ids, without cut words and empty sentences."""

    def final(block: NumberedBlock) -> NumberedBlock:
        kept = renumberings[block.counter].apply(block.ids, block.line_lengths)  # both in place
        return replace(block, ids=block.ids[:kept])

    joiner = LineJoiner()
    end = np.int64(0)
    for block in ordered_map(final, spool.blocks(), threads=len(renumberings)):
        lengths = joiner.join(block.line_lengths, block.ends_line)
        ends = end + np.cumsum(lengths[lengths > 0])
        end = ends[-1] if len(ends) else end
        yield block.ids, ends


def encode_in_memory(
    blocks: RenumberedBlocks,
    vocabulary: Vocabulary,
    settings: ReadingSettings,
    provisional: npt.NDArray[np.int32],
) -> EncodedCorpus:
    """Encode by overwriting provisional ids, so that no id is held twice."""
    offsets = bytearray(8)  # begins with the offset 0; grows without copying
    filled = 0
    for ids, ends in blocks:
        provisional[filled : filled + len(ids)] = ids
        filled += len(ids)
        offsets += ends.data.cast("B")
    return EncodedCorpus(
        provisional[:filled], np.frombuffer(offsets, np.int64), vocabulary, settings
    )


def encode_to_folder(
    blocks: RenumberedBlocks, vocabulary: Vocabulary, settings: ReadingSettings, new_folder: Path
) -> None:
    offsets = bytearray(8)  # begins with the offset 0

    def ids() -> Iterator[npt.NDArray[np.int32]]:
        nonlocal offsets
        for ids, ends in blocks:
            offsets += ends.data.cast("B")
            yield ids

    def all_offsets() -> Iterator[npt.NDArray[np.int64]]:
        """Yield the offsets, which are complete when all ids are written."""
        yield np.frombuffer(offsets, np.int64)

    pieces = (Pieces(np.int32, ids()), Pieces(np.int64, all_offsets()))
    write_encoded(new_folder, *pieces, vocabulary, settings)


def encode_to_temporary_file(
    blocks: RenumberedBlocks, vocabulary: Vocabulary, settings: ReadingSettings
) -> EncodedCorpus:
    """Encode to a file without a name, which is deleted when its ids are no longer used."""
    offsets = bytearray(8)
    with tempfile.TemporaryFile() as file:
        for ids, ends in blocks:
            file.write(ids.data)
            offsets += ends.data.cast("B")
        file.flush()
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return EncodedCorpus(
        np.frombuffer(mapped, np.int32), np.frombuffer(offsets, np.int64), vocabulary, settings
    )
