"""A corpus → its vocabulary and the ids of its tokens, in memory or in a folder."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from numberline.errors import CorpusError
from numberline.files.whole_folder import replace_folder
from numberline.reading.corpus import Corpus
from numberline.reading.counting import CorpusCounter, LineJoiner, NumberedBlock, Progress
from numberline.reading.encoded import EncodedCorpus, load_encoded, write_header_and_tables
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
    folder: Path | None = None,
    progress: Progress | None = None,
) -> EncodedCorpus:
    """Return the encoded corpus; with `folder` it is kept there and mapped instead of loaded."""
    counter = CorpusCounter(settings)
    with Spool(IN_MEMORY_BYTES) if folder is None else spool_beside(folder) as spool:
        for block in counter.run(corpus, keep_ids=True, progress=progress):
            spool.append(block)
        vocabulary, renumberings = counter.vocabulary()
        if not vocabulary.kept_tokens:
            raise CorpusError(
                f"no word occurs min_count={settings.min_count} times, and there are no "
                "numerals; lower min_count or add text"
            )
        del counter  # frees its large tables; only the renumberings are still needed
        blocks = renumbered(spool, renumberings)
        if folder is not None:
            return encode_to_folder(blocks, vocabulary, settings, folder)
        if spool.is_on_disk:
            return encode_to_temporary_folder(blocks, vocabulary, settings)
        return encode_in_memory(blocks, vocabulary, settings, spool.ids_in_memory)


def spool_beside(folder: Path) -> Spool:
    """Return a spool on the folder's disk, since the system's temporary folder may be small."""
    return Spool(SPOOL_BYTES, folder.parent if folder.parent.is_dir() else None)


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
    blocks: RenumberedBlocks, vocabulary: Vocabulary, settings: ReadingSettings, folder: Path
) -> EncodedCorpus:
    offsets = bytearray(8)
    with replace_folder(folder) as unfinished:
        with (unfinished / "ids.npy").open("wb") as file:
            shape = {"descr": "<i4", "fortran_order": False, "shape": (vocabulary.kept_tokens,)}
            np.lib.format.write_array_header_1_0(file, shape)
            for ids, ends in blocks:
                file.write(ids.data)
                offsets += ends.data.cast("B")
        np.save(unfinished / "sentence_offsets.npy", np.frombuffer(offsets, np.int64))
        write_header_and_tables(unfinished, vocabulary, settings)
    return load_encoded(folder)


def encode_to_temporary_folder(
    blocks: RenumberedBlocks, vocabulary: Vocabulary, settings: ReadingSettings
) -> EncodedCorpus:
    """Encode to a folder that is deleted when the ids are no longer used."""
    temporary = Path(tempfile.mkdtemp(prefix="numberline-"))
    clean_up = partial(shutil.rmtree, temporary, ignore_errors=True)
    try:
        encoded = encode_to_folder(blocks, vocabulary, settings, temporary / "encoded")
    except BaseException:
        clean_up()
        raise
    weakref.finalize(encoded.ids, clean_up)
    return encoded
