"""Rows of what was tried, held and failed → a table on the screen and a JSON file."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any


def arguments_of(doc: str | None, tries: int) -> argparse.Namespace:
    """Return the options that all harnesses have."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tries", type=int, default=tries, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="file for the counts")
    return parser.parse_args()


def print_report(rows: list[dict[str, Any]], path: Path | None) -> None:
    """Print a line per row, and what failed; the process then ends with 1 if anything did."""
    for row in rows:
        print(f"{row['what']}: {row['tried']:,} tried, {row['failed']} failed {row['endings']}")
        for example in row["examples"]:
            print(f"    {example}")
    save_rows(rows, path)
    sys.exit(any(row["failed"] for row in rows))


def save_rows(rows: list[dict[str, Any]], path: Path | None) -> None:
    """Write rows to a file, if there is one; a long run does so now and then."""
    if path is not None:
        path.write_text(json.dumps(rows, indent=1), encoding="utf-8")
