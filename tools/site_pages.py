"""mkdocs' files and pages → documents from outside docs/ among them, and links that lead there.

A link in a document leads to a file of the repository, so that it works where documents are read
there. On the site the same file is a page of another name: links are rewritten when it is built.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
OUTSIDE = {  # file of the repository → page of the site
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "README.md": "index.md",
    "benchmarks/README.md": "benchmarks.md",
}
LINK = re.compile(r"(\]\()([^)#\s:]+)(#[^)\s]*)?(\))")


def on_files(files, config):
    for path, page in OUTSIDE.items():
        if page != "index.md":  # the site begins with a page of its own
            files.append(File.generated(config, page, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown, page, config, files):
    source = Path(page.file.abs_src_path).relative_to(ROOT).as_posix()
    return as_on_site(markdown, posixpath.dirname(source))


def as_on_site(markdown, folder):
    """The text of a document in this folder of the repository, with links as the site has them."""

    def rewritten(link):
        start, target, anchor, end = link.groups(default="")
        return start + page_of(posixpath.normpath(posixpath.join(folder, target))) + anchor + end

    return LINK.sub(rewritten, markdown)


def page_of(path):
    """The site's name of a file of the repository; docs/ is the root of the site."""
    return OUTSIDE.get(path) or posixpath.relpath(path, "docs")
