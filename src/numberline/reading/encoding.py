"""A corpus → ids of its tokens, sentence by sentence, and the vocabulary; in memory or a folder."""

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
from numberline.reading.encoded import EncodedCorpus, load_encoded
from numberline.reading.indexing import CorpusIndexer, IndexedBlock, LineJoiner, Progress
from numberline.reading.parallel import ordered_map
from numberline.reading.spool import NpyWriter, Spool
from numberline.reading.vocabulary import Vocabulary
from numberline.settings import ReadingSettings

# What ids and line lengths may take in memory:
IN_MEMORY_BYTES = 2 << 30  # beyond this they go to a temporary folder if none is given
SPOOL_BYTES = 256 << 20  # beyond this they wait in a temporary file if a folder is given

Append = Callable[[npt.NDArray[Any]], None]


def encode(
    corpus: Corpus,
    settings: ReadingSettings,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> EncodedCorpus:
    """Encode a corpus, into `folder` if one is given; its arrays are then mapped, not loaded."""
    indexer = CorpusIndexer(settings)
    with Spool(IN_MEMORY_BYTES) if folder is None else spool_beside(folder) as spool:
        for block in indexer.run(corpus, keep_ids=True, progress=progress):
            spool.append(block)
        vocabulary, renumberings = indexer.vocabulary()
        if not vocabulary.kept_tokens:
            raise CorpusError(
                f"no word occurs min_count={settings.min_count} times, and there are no "
                "numerals; lower min_count or add text"
            )
        del indexer  # its tables are large, and only the renumberings are still needed
        if folder is not None:
            return encode_to_folder(spool, renumberings, vocabulary, settings, folder)
        if not spool.is_on_disk:
            return encode_in_memory(spool, renumberings, vocabulary, settings)
        temporary = Path(tempfile.mkdtemp(prefix="numberline-"))
        clean_up = partial(shutil.rmtree, temporary, ignore_errors=True)
        try:
            encoded = encode_to_folder(
                spool, renumberings, vocabulary, settings, temporary / "encoded"
            )
        except BaseException:
            clean_up()
            raise
        weakref.finalize(encoded.ids, clean_up)
        return encoded


def spool_beside(folder: Path) -> Spool:
    """Where there is room for the folder there should be room for the spool."""
    return Spool(SPOOL_BYTES, folder.parent if folder.parent.is_dir() else None)


def encode_in_memory(
    spool: Spool,
    renumberings: Sequence[Renumbering],
    vocabulary: Vocabulary,
    settings: ReadingSettings,
) -> EncodedCorpus:
    """Final ids take the place of provisional ones: nothing is held twice."""
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
        nothing = np.empty(0, np.int32)
        encoded = EncodedCorpus(nothing, np.zeros(1, np.int64), vocabulary, settings)
        encoded.write_header_and_tables(unfinished)
    return load_encoded(folder)


def renumber(
    spool: Spool, renumberings: Sequence[Renumbering], append_ids: Append, append_offsets: Append
) -> None:
    """Provisional ids → final ids and the ends of the sentences that still hold some."""

    def final(block: IndexedBlock) -> IndexedBlock:
        kept = renumberings[block.index].apply(block.ids, block.line_lengths)  # both in place
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
