"""Rows of figures → tables for the terminal, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from numberline.errors import OutputError, StoreError, visible
from numberline.files import checked_json
from numberline.files.regular import open_regular, reason_of
from numberline.files.whole_file import free_file, replace_file

if TYPE_CHECKING:
    from rich.table import Table as RichTable

FORMAT, VERSION = "evaluation", 1
LARGEST_BYTES = 1 << 24  # parsed, JSON may take 30 times the memory


class Spread(NamedTuple):
    """A figure over several seeds."""

    mean: float
    deviation: float


Cell = str | int | float | Spread | None


@dataclass(frozen=True)
class Table:
    """The figures of one experiment. A row may leave out columns, which are then empty."""

    title: str
    rows: list[dict[str, Cell]]
    notes: tuple[str, ...] = ()  # what a reader must know to compare figures
    decimals: int = 2  # shown; JSON keeps all

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row))

    def shown(self) -> list[list[str]]:
        """Return all cells as text, a list per row."""
        return [
            [shown_cell(row.get(name), self.decimals) for name in self.columns] for row in self.rows
        ]

    def markdown(self) -> str:
        aligned = ["--:" if self._is_number(name) else "---" for name in self.columns]
        lines = [self.columns, aligned, *self.shown()]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return "\n\n".join([f"### {self.title}", table, *self.notes]) + "\n"

    def __rich__(self) -> RichTable:
        from rich.table import Table as RichTable
        from rich.text import Text

        caption = Text("\n".join(map(visible, self.notes))) if self.notes else None
        shown = RichTable(title=Text(visible(self.title)), caption=caption, caption_justify="left")
        for name in self.columns:
            justify: Literal["left", "right"] = "right" if self._is_number(name) else "left"
            shown.add_column(Text(visible(name)), justify=justify)
        for row in self.shown():
            shown.add_row(*(Text(visible(cell)) for cell in row))
        return shown

    def _is_number(self, name: str) -> bool:
        return all(not isinstance(row.get(name), str) for row in self.rows)


def shown_cell(cell: Cell, decimals: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Spread):
        return f"{cell.mean:,.{decimals}f} ± {cell.deviation:.{decimals}f}"
    if isinstance(cell, float):
        return f"{cell:,.{decimals}f}"
    return cell if isinstance(cell, str) else f"{cell:,}"


@dataclass(frozen=True)
class Evaluation:
    """The tables of the tasks that were run; `left_out` says what the others lacked."""

    model: Mapping[str, Any]  # description, settings, facts of its training
    settings: Mapping[str, Any]
    tables: Mapping[str, list[Table]]  # by task
    seconds: Mapping[str, float]  # by task
    left_out: Mapping[str, str] = field(default_factory=dict)  # reason by task

    def markdown(self) -> str:
        """Return all tables, one below the other."""
        return "\n".join(table.markdown() for tables in self.tables.values() for table in tables)

    def save(self, path: str | Path) -> None:
        """Write the evaluation as JSON, replacing an older evaluation, but no other file."""
        require_free(Path(path))
        content = {"format": FORMAT, "version": VERSION, **asdict(self)}
        with replace_file(Path(path), overwrite=True) as file:
            file.write(checked_json.to_bytes(content))

    @staticmethod
    def load(path: str | Path) -> Evaluation:
        """Read what `save` has written; refuse a file that was changed since."""
        try:
            facts = read_evaluation(Path(path))
            if (facts.pop("format", None), facts.pop("version", None)) != (FORMAT, VERSION):
                raise ValueError("it is no evaluation that this version of numberline reads")
            del facts["checksum"]
            facts["tables"] = {
                task: [read_table(table) for table in tables]
                for task, tables in facts["tables"].items()
            }
            return Evaluation(**facts)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"{path} cannot be read: {reason_of(error)}") from error


def require_free(path: Path) -> None:
    """Refuse a path that cannot be written, or where there is anything but an evaluation."""
    target = free_file(path, overwrite=True)
    if target.exists() and not is_evaluation(target):
        raise OutputError(f"{path} exists and is no evaluation of numberline; choose another file")


def is_evaluation(path: Path) -> bool:
    """Tell whether a file holds an evaluation, even if it is damaged."""
    try:
        return read_evaluation(path).get("format") == FORMAT
    except OSError:
        return False
    except ValueError:
        with open_regular(path) as file:
            return checked_json.begins(file.read(LARGEST_BYTES))


def read_evaluation(path: Path) -> dict[str, Any]:
    with open_regular(path) as file:
        data = file.read(LARGEST_BYTES + 1)
    if len(data) > LARGEST_BYTES:
        raise ValueError(f"it has more than {LARGEST_BYTES:,} bytes")
    return checked_json.from_bytes(data)


def read_table(facts: dict[str, Any]) -> Table:
    """Make a table from JSON, where a Spread is a list."""
    rows = [
        {name: Spread(*cell) if isinstance(cell, list) else cell for name, cell in row.items()}
        for row in facts["rows"]
    ]
    return Table(**facts | {"rows": rows, "notes": tuple(facts["notes"])})
