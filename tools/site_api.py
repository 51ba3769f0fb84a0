"""Lists of names in docs/api.md -> signatures, docstrings and tables of settings on the site.

    - `numberline.load`                          a function, or a class without its members
    - `numberline.Embeddings`: `words`, `dim`    a class with some of its members
    - `numberline.settings.TextSettings`         any dataclass whose fields have a help text

A table leaves out the settings that a class inherits from another one of the page.
"""

import inspect
import re
from dataclasses import MISSING, fields, is_dataclass
from pydoc import locate

from sphinx.ext.autodoc.mock import mock

PAGE = "docs/api"
ITEM = re.compile(r"^- `(numberline[\w.]*)`(?::((?:.|\n  )*))?$", re.M)
ALIAS = re.compile(r"~?(?:\w+\.)*TypeAliasForwardRef\('(\w+)'\)")
MACHINE_DEFAULTS = {"threads": "all cores"}  # these differ from machine to machine


def setup(app):
    app.connect("source-read", expand_page)
    app.connect("autodoc-process-signature", tidy_signature)
    return {"parallel_read_safe": True}


def expand_page(app, page, source):
    if page == PAGE:
        with mock(app.config.autodoc_mock_imports):
            source[0] = expand(source[0])


def expand(markdown):
    """Return the page with each listed name replaced by what Sphinx shows of it."""
    listed = {item[1]: locate(item[1]) for item in ITEM.finditer(markdown)}
    if missing := [name for name, thing in listed.items() if thing is None]:
        raise LookupError(f"{PAGE}.md lists what does not exist: {', '.join(missing)}")
    shown = set(filter(inspect.isclass, listed.values()))

    def expanded(item):
        name, members = item[1], re.findall(r"`(\w+)`", item[2] or "")
        if own_settings(listed[name], shown):
            return settings_section(name, listed[name], shown)
        return documented(name, listed[name], members)

    return ITEM.sub(lambda item: f"\n{expanded(item)}\n", markdown)


def documented(name, thing, members):
    """Return the directive that shows the docstring of a function or class."""
    kind = "class" if inspect.isclass(thing) else "function"
    if kind == "class" and issubclass(thing, Exception):
        kind = "exception"
    options = f"   :members: {', '.join(members)}\n" if members else ""
    return f"```{{eval-rst}}\n.. auto{kind}:: {name}\n{options}```"


def settings_section(name, described, shown):
    """Return the class with its docstring and a row for each of its settings."""
    module, _, class_name = name.rpartition(".")
    rows = "".join(map(row_of, own_settings(described, shown)))
    head = "| setting | default | what it does |\n| --- | --- | --- |\n"
    directive = f"```{{py:class}} {class_name}\n:module: {module}\n\n"
    return f"{directive}{inspect.getdoc(described)}\n\n{head}{rows}```"


def tidy_signature(app, kind, name, thing, options, signature, returned):
    """Return the signature and the result's type without what Sphinx cannot print well."""
    return tidy(signature), tidy(returned)


def tidy(annotation):
    if annotation is None:
        return None
    annotation = annotation.replace("<factory>", "...")  # otherwise no valid signature
    return ALIAS.sub(r"\1", annotation)


def own_settings(described, shown):
    """Return the fields with a help text that no shown base class of it has."""
    if not (inspect.isclass(described) and is_dataclass(described)):
        return []
    bases = shown & set(described.__mro__[1:])
    inherited = {field.name for base in bases if is_dataclass(base) for field in fields(base)}
    return [
        field
        for field in fields(described)
        if "help" in field.metadata and field.name not in inherited
    ]


def row_of(field):
    default = MACHINE_DEFAULTS.get(field.name) or f"`{default_of(field)}`"
    cells = (f"`{field.name}`", default, field.metadata["help"])
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |\n"


def default_of(field):
    if field.default_factory is not MISSING:
        return repr(field.default_factory())
    return "required" if field.default is MISSING else repr(field.default)
