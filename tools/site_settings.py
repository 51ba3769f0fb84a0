"""A page with <!-- settings: NameConfig Gmm … --> → the same with tables of those settings."""

import re
from dataclasses import fields

import numberline
from numberline import settings as config

MARK = re.compile(r"<!-- settings: ([\w ]+) -->")
OF_THE_MACHINE = {"threads": "all cores"}  # defaults that differ from machine to machine


def on_page_markdown(markdown, page, config, files):
    return MARK.sub(lambda found: "\n".join(map(table_of, found[1].split())), markdown)


def table_of(name):
    """Return a heading, what the class says of itself, and a row for each of its settings."""
    described = getattr(config, name, None) or getattr(numberline, name)
    head = "| setting | default | what it does |\n| --- | --- | --- |\n"
    return f"### {name}\n\n{described.__doc__}\n\n{head}{rows}"


def row_of(field):
    default = OF_THE_MACHINE.get(field.name) or f"`{field.default!r}`"
    return f"| `{field.name}` | {default} | {field.metadata['help']} |\n"
