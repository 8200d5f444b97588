"""What a finished site must keep: links that lead somewhere, nothing from another host, no formula left as TeX."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

TEX = re.compile(r"\\[a-zA-Z]{2,}|\$\$|\\\(|\\\[")
_QUIET = {"script", "style", "code", "pre", "textarea"}
_LOADED = {"img": "src", "script": "src", "iframe": "src", "object": "data", "source": "src", "video": "src"}
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(HTMLParser):
    """What one page has and asks for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.tex: list[str] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what the element is called, and what it leads to or loads."""
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and "href" in given and given.get("rel") not in ("index", "search", "next", "prev"):
            self.loaded.append(given["href"])
        elif tag in _LOADED and given.get(_LOADED[tag]):
            self.loaded.append(given[_LOADED[tag]])
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Leave the element, and those that the page forgot to close."""
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Keep what looks like TeX and is not shown as code."""
        if not _QUIET & set(self._open):
            self.tex += [data.strip()[:80]] if TEX.search(data) else []


def faults_of(folder: Path) -> tuple[list[str], dict[str, str]]:
    """Return what is wrong with the pages of a folder, and the addresses outside with a page that has each."""
    pages = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    read = {name: Page(text) for name, text in sorted(pages.items())}
    faults: list[str] = []
    outside: dict[str, str] = {}
    for name, page in read.items():
        faults += [f"{name}: TeX is left: {text}" for text in page.tex]
        faults += [f"{name}: loads {target}" for target in page.loaded if _is_outside(target)]
        outside.update((target, name) for target in page.links if _is_outside(target))
        for target in (*page.links, *page.loaded):
            if not _is_outside(target) and not target.startswith(("data:", "javascript:", "mailto:")):
                faults += _dead(folder, name, target, read)
    for sheet in folder.rglob("*.css"):
        found = re.findall(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s]+)", sheet.read_text(encoding="utf-8"))
        faults += [f"{sheet.relative_to(folder)}: loads {target}" for target in found]
    return faults, outside


def _is_outside(target: str) -> bool:
    return re.match(r"(?:https?:)?//", target) is not None


def _dead(folder: Path, name: str, target: str, read: dict[str, Page]) -> list[str]:
    """Return what a link within the site lacks."""
    path, _, anchor = unquote(target).partition("#")
    path = path.partition("?")[0]
    there = (folder / name).parent / path if path else folder / name
    if not there.is_file():
        return [f"{name}: {target} leads nowhere"]
    page = read.get(there.resolve().relative_to(folder.resolve()).as_posix())
    if anchor and page is not None and anchor not in page.ids:
        return [f"{name}: {target} has no such part"]
    return []
