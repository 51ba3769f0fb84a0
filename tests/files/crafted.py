"""Stored folders with chosen contents and right checksums, as an attacker would make them."""

from safetensors.numpy import load_file

from numberline.cooccurrence.stored import PAIRS
from numberline.files import checked_json
from numberline.files.store import HEADER, Format, write_store
from numberline.files.tensors import PADDING
from numberline.model.folder import MODEL
from numberline.reading.encoded import ENCODED
from numberline.training.checkpoint import CHECKPOINT

WRITTEN = ("checksum", "format", "version", "tensors")  # write_store states them


def format_of(folder) -> Format:
    name = header_of(folder)["format"]
    if name == "tagger":
        from numberline.tagging.folder import TAGGER  # needs torch

        return TAGGER
    return next(one for one in (MODEL, ENCODED, CHECKPOINT, PAIRS) if one.name == name)


def header_of(folder):
    return checked_json.from_bytes((folder / HEADER).read_bytes())


def arrays_of(folder):
    arrays = load_file(folder / format_of(folder).tensors)
    return {name: array for name, array in arrays.items() if not name.startswith(PADDING)}


def edit_header(folder, **changes):
    """Change entries of the header, also its format or version; the checksum will be right."""
    header = header_of(folder) | changes
    del header["checksum"]
    (folder / HEADER).write_bytes(checked_json.to_bytes(header))


def replace_arrays(folder, **arrays):
    """Change or add arrays; None takes one away. All checksums will be right."""
    header = {name: one for name, one in header_of(folder).items() if name not in WRITTEN}
    changed = {name: one for name, one in (arrays_of(folder) | arrays).items() if one is not None}
    write_store(folder, format_of(folder), header, changed)
