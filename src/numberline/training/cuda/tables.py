"""Tables of vectors and rows of weights → the device, and what was learnt back into the tables."""

from __future__ import annotations

import numpy as np

from numberline.arrays import Array
from numberline.extras import optional
from numberline.numerals.rows import SparseRows
from numberline.training.cuda.structs import DeviceRows, DeviceSide, DeviceTables
from numberline.training.cuda.text import sent
from numberline.training.job import TrainingJob
from numberline.training.tables import Tables


def tables_to_device(
    job: TrainingJob, parts: tuple[Array, Array], scratch_floats: int
) -> DeviceTables:
    """Send tables as they are: rows have the same width there. `parts` are those of steps."""
    inputs = rows_to_device(job.rows["input"])
    has_same_rows = job.rows["output"] is job.rows["input"]
    outputs = inputs if has_same_rows else rows_to_device(job.rows["output"])
    return DeviceTables(
        DeviceSide(sent(job.tables.padded_input), sent(parts[0]), inputs),
        DeviceSide(sent(job.tables.padded_output), sent(parts[1]), outputs),
        np.int32(job.tables.words),
        np.int32(job.is_frozen),
        optional("cupy", "cuda").empty(scratch_floats, np.float32),
    )


def rows_to_device(rows: SparseRows) -> DeviceRows:
    return DeviceRows(sent(rows.offsets), sent(rows.indices), sent(rows.weights))


def fetch_tables(device: DeviceTables, tables: Tables) -> None:
    """Overwrite tables with what the device has made of them."""
    for side, table in (
        (device.input, tables.padded_input),
        (device.output, tables.padded_output),
    ):
        if table.size:
            side.table.get(out=table)
