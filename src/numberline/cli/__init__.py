"""The command line: one function per command, each a call into the library.

Other packages add commands, functions for typer, by entry points of the group
`numberline.commands`; they write them with the names below.
"""

from numberline.cli.arguments import listed
from numberline.cli.flags import with_settings
from numberline.cli.process import Output, print_json
from numberline.cli.progress import task_progress, training_progress
from numberline.errors import visible
from numberline.files.whole_folder import make_folder
from numberline.reading.statistics import corpus_facts, facts_table

__all__ = [
    "Output",
    "corpus_facts",
    "facts_table",
    "listed",
    "make_folder",
    "print_json",
    "task_progress",
    "training_progress",
    "visible",
    "with_settings",
]
