"""NAVIGATION in the site's conf.py -> contents at the end of the first page, and so the sidebar.

The page itself stays plain Markdown.
"""


def setup(app):
    app.add_config_value("NAVIGATION", {}, "env")
    app.connect("source-read", add_contents)
    return {"parallel_read_safe": True}


def add_contents(app, page, source):
    if page == app.config.root_doc:
        source[0] += "".join(contents(*part) for part in app.config.NAVIGATION.items())


def contents(title, pages):
    """Return a hidden table of contents; the sidebar shows it under its title."""
    entries = "\n".join(page if page == "self" else f"/{page}" for page in pages)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{entries}\n```\n"
