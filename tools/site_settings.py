"""A page with <!-- settings: NameConfig … --> → the same with a table of those settings there."""

import re
from dataclasses import fields

from numberline import config as settings

MARK = re.compile(r"<!-- settings: ([\w ]+) -->")
OF_THE_MACHINE = {"threads": "all cores"}  # defaults that differ from machine to machine


def on_page_markdown(markdown, page, config, files):
    return MARK.sub(lambda found: "\n".join(map(table_of, found[1].split())), markdown)


def table_of(name):
    """A heading, what the class says of itself, and a row for each of its settings."""
    described = getattr(settings, name)
    rows = "".join(row_of(field) for field in fields(described))
    head = "| setting | default | what it does |\n| --- | --- | --- |\n"
    return f"### {name}\n\n{described.__doc__}\n\n{head}{rows}"


def row_of(field):
    default = OF_THE_MACHINE.get(field.name) or f"`{field.default!r}`"
    return f"| `{field.name}` | {default} | {field.metadata['help']} |\n"
