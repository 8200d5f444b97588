"""What a built package says about where the project is kept: links of its page, addresses, citation.

README.md has relative links, which lead nowhere from a package index. The one setting `address` under `[tool.eomc]` of
pyproject.toml makes them absolute, and adds `[project.urls]` and the citation's `repository-code`; while it is empty,
links are their text, pictures are left out, and so are the addresses.
"""

from __future__ import annotations

import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_CODE_OR_LINK = re.compile(r"`+[^`]*`+|(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^()\s]+)\)")


def address_of(root: Path) -> str:
    """Return the public address that pyproject.toml of a folder states, without a slash at its end; "" for none."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    address: str = tomllib.loads(text)["tool"]["eomc"]["address"].rstrip("/")
    if address and not re.fullmatch(r"https://[^\s/]+/\S+", address):
        raise ValueError(f"pyproject.toml, [tool.eomc]: address = {address!r}: say https://HOST/PATH or nothing")
    return address


def page(markdown: str, address: str) -> str:
    """Return a page of the top folder as it can stand elsewhere: relative links absolute, or left out."""

    def placed(found: re.Match[str]) -> str:
        target = found["target"]
        if target is None or re.match(r"[a-z]+:|#", target):  # code, an address, a part of this page
            return found[0]
        if not address:
            return "" if found["picture"] else found["text"]
        kind = "raw" if found["picture"] else "blob"
        return f"{found['picture']}[{found['text']}]({address}/{kind}/HEAD/{target})"

    lines, fenced = [], False
    for line in markdown.splitlines(keepends=True):
        fence = line.startswith("```")
        fenced ^= fence
        lines.append(line if fence or fenced else _CODE_OR_LINK.sub(placed, line))
    return "".join(lines)


def citation(text: str, address: str) -> str:
    """Return CITATION.cff with the address at its end, or without one."""
    kept = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("repository-code:"))
    return f'{kept}repository-code: "{address}"\n' if address else kept


class Metadata(MetadataHookInterface):
    """Fill in `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set both in `metadata`."""
        root = Path(self.root)
        address = address_of(root)
        readme = page((root / "README.md").read_text(encoding="utf-8"), address)
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
        metadata["urls"] = (
            {
                "Source": address,
                "Documentation": f"{address}/blob/HEAD/README.md",
                "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }
            if address
            else {}
        )


class Citation(BuildHookInterface[Any]):
    """Put the citation into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the file that the builder shall include; an editable install has the one of the checkout."""
        if version == "editable":
            return
        root = Path(self.root)
        self._folder = tempfile.TemporaryDirectory(prefix="eomc-citation-")
        made = Path(self._folder.name, "CITATION.cff")
        text = (root / "CITATION.cff").read_text(encoding="utf-8")
        made.write_text(citation(text, address_of(root)), encoding="utf-8")
        build_data["force_include"][str(made)] = "CITATION.cff" if self.target_name == "sdist" else "eomc/CITATION.cff"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what `initialize` wrote."""
        if version != "editable":
            self._folder.cleanup()
