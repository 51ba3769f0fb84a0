"""The documentation's site: make docs builds it with Sphinx into site/.

Sphinx reads from the root of the repository, so that links between documents work as they do on a
code host, also out of docs/. Pages fetch nothing from outside and work when opened as files.
"""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

NAVIGATION = {  # title of a part -> its pages
    "Start": ["self", "docs/tutorial", "docs/numerals", "docs/quantities", "docs/method"],
    "Use": [
        "docs/training",
        "docs/choosing",
        "docs/encoders",
        "docs/objectives",
        "docs/using",
        "docs/gaps",
        "docs/senses",
        "docs/explore",
        "docs/plots",
        "docs/reliability",
    ],
    "Your stack": [
        "docs/formats",
        "docs/gensim",
        "docs/torch",
        "docs/sklearn",
        "docs/spacy",
        "docs/hub",
        "docs/texts",
        "docs/companion",
    ],
    "How good is it": [
        "docs/evaluating",
        "docs/reproduce",
        "docs/results",
        "benchmarks/README",
    ],
    "Inside": [
        "docs/api",
        "docs/adding-an-encoder",
        "ARCHITECTURE",
        "CONTRIBUTING",
        "SECURITY",
        "CHANGELOG",
    ],
}

project = "numberline"
author = "The numberline developers"
copyright = author
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",  # docstrings of public functions list their arguments under "Args:"
    "site_api",
    "site_navigation",
]
root_doc = "docs/index"
include_patterns = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "benchmarks/README.md",
    "docs/*.md",
]
exclude_patterns = [".*", "build", "dist", "native", "site", "src", "tests"]  # are not searched
html_additional_pages = {"index": "redirect.html"}  # who opens site/ lands on the first page
templates_path = ["templates"]

smartquotes_action = "D"  # dashes alone: quotes in prose may be code
myst_heading_anchors = 4  # links to headings, named as on a code host
default_role = "literal"  # docstrings write `code` as Markdown does

autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_type_aliases = {name: name for name in ("Array", "CorpusSource", "Query")}
autodoc_mock_imports = [  # of extras, which the site can do without
    "gensim",
    "huggingface_hub",
    "matplotlib",
    "openTSNE",
    "pandas",
    "scipy",
    "sentence_transformers",
    "sklearn",
    "spacy",
    "starlette",
    "threadpoolctl",
    "torch",
    "uvicorn",
]
python_maximum_signature_line_length = 88
add_module_names = False

html_theme = "furo"
html_title = f"numberline {release}"
html_static_path = ["style.css", "search_in_files.js"]
html_css_files = ["style.css"]
html_js_files = ["search_in_files.js"]
html_copy_source = False
html_use_index = False
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {
        "color-brand-primary": "#3949ab",
        "color-brand-content": "#3949ab",
        "color-brand-visited": "#5e35b1",
    },
    "dark_css_variables": {
        "color-brand-primary": "#9fa8da",
        "color-brand-content": "#9fa8da",
        "color-brand-visited": "#b39ddb",
    },
}
