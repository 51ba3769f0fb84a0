"""The command line. Other packages may bring commands, and write them with the names below.

A command is a function for typer, named by an entry point of the group `numberline.commands`.
"""

from numberline.cli.arguments import listed
from numberline.cli.flags import with_settings
from numberline.cli.process import Output, print_json
from numberline.cli.progress import task_progress, training_progress
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
    "with_settings",
]
