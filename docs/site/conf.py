"""Sphinx's settings. build.py calls Sphinx; nothing here reads the network, and no page needs it."""

from __future__ import annotations

import sys
from pathlib import Path

from eomc import __version__

sys.path.insert(0, str(Path(__file__).resolve().parent))

project = "eomc"
author = "The eomc authors"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "katex"]
exclude_patterns = ["**/_*"]
default_role = "code"  # single backticks in docstrings are code
language = "en"

myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_links_external_new_tab = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the signatures in the sources are read as text: no types of private modules
autodoc_inherit_docstrings = False
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "furo"
html_title = "eomc"
html_math_renderer = "katex"
html_static_path = ["static"]
html_css_files = ["eomc.css"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_show_search_summary = False  # it is read by a request, which files do not answer
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_permalinks_icon = "#"
html_theme_options = {"navigation_with_keys": False, "top_of_page_buttons": []}
templates_path: list[str] = []
pygments_style = "default"
pygments_dark_style = "monokai"
toc_object_entries_show_parents = "hide"
