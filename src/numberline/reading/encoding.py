"""A corpus → its vocabulary and the ids of its tokens, in memory or in a folder."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from numberline._native import Renumbering
from numberline.errors import CorpusError
from numberline.files.whole_folder import replace_folder
from numberline.reading.corpus import Corpus
from numberline.reading.counting import CorpusCounter, LineJoiner, NumberedBlock, Progress
from numberline.reading.encoded import EncodedCorpus, load_encoded, write_header_and_tables
from numberline.reading.parallel import ordered_map
from numberline.reading.spool import NpyWriter, Spool
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import ReadingSettings

# Memory that ids and line lengths may take:
IN_MEMORY_BYTES = 2 << 30  # without a folder; the rest is kept in a temporary one
SPOOL_BYTES = 256 << 20  # with a folder; the rest waits in a temporary file

Append = Callable[[npt.NDArray[Any]], None]


def encode(
    corpus: Corpus,
    settings: ReadingSettings,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> EncodedCorpus:
    """Encode a corpus; with `folder` the result is kept there, and mapped instead of loaded."""
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
        del counter  # its tables are large, and only the renumberings are needed from here on
        if folder is not None:
            return encode_to_folder(spool, renumberings, vocabulary, settings, folder)
        if not spool.is_on_disk:
            return encode_in_memory(spool, renumberings, vocabulary, settings)
        return encode_to_temporary_folder(spool, renumberings, vocabulary, settings)


def spool_beside(folder: Path) -> Spool:
    """Return a spool on the disk of the folder, which should have room for both."""
    return Spool(SPOOL_BYTES, folder.parent if folder.parent.is_dir() else None)


def encode_to_temporary_folder(
    spool: Spool,
    renumberings: Sequence[Renumbering],
    vocabulary: Vocabulary,
    settings: ReadingSettings,
) -> EncodedCorpus:
    """Encode to a folder that is removed together with the encoded corpus."""
    temporary = Path(tempfile.mkdtemp(prefix="numberline-"))
    clean_up = partial(shutil.rmtree, temporary, ignore_errors=True)
    try:
        folder = temporary / "encoded"
        encoded = encode_to_folder(spool, renumberings, vocabulary, settings, folder)
    except BaseException:
        clean_up()
        raise
    weakref.finalize(encoded.ids, clean_up)
    return encoded


def encode_in_memory(
    spool: Spool,
    renumberings: Sequence[Renumbering],
    vocabulary: Vocabulary,
    settings: ReadingSettings,
) -> EncodedCorpus:
    """Overwrite provisional ids with final ones, so that nothing is held twice."""
    ids = spool.ids_in_memory
    offsets: list[npt.NDArray[np.int64]] = []
    filled = 0

    def append_ids(more: npt.NDArray[np.int32]) -> None:
        nonlocal filled
        ids[filled : filled + len(more)] = more
        filled += len(more)

    renumber(spool, renumberings, append_ids, offsets.append)
    kept = ids[: vocabulary.kept_tokens]
    return EncodedCorpus(kept, np.concatenate(offsets), vocabulary, settings)


def encode_to_folder(
    spool: Spool,
    renumberings: Sequence[Renumbering],
    vocabulary: Vocabulary,
    settings: ReadingSettings,
    folder: Path,
) -> EncodedCorpus:
    with replace_folder(folder) as unfinished:
        with (
            NpyWriter(unfinished / "ids.npy", np.int32) as ids,
            NpyWriter(unfinished / "sentence_offsets.npy", np.int64) as offsets,
        ):
            renumber(spool, renumberings, ids.append, offsets.append)
        write_header_and_tables(unfinished, vocabulary, settings)
    return load_encoded(folder)


def renumber(
    spool: Spool, renumberings: Sequence[Renumbering], append_ids: Append, append_offsets: Append
) -> None:
    """Append final ids, and where each sentence that still holds some begins; at last the end."""

    def final(block: NumberedBlock) -> NumberedBlock:
        kept = renumberings[block.counter].apply(block.ids, block.line_lengths)  # both in place
        return replace(block, ids=block.ids[:kept])

    joiner = LineJoiner()
    end = np.int64(0)
    append_offsets(np.zeros(1, np.int64))
    for block in ordered_map(final, spool.blocks(), threads=len(renumberings)):
        append_ids(block.ids)
        lengths = joiner.join(block.line_lengths, block.ends_line)
        ends = end + np.cumsum(lengths[lengths > 0])
        append_offsets(ends)
        end = ends[-1] if len(ends) else end
