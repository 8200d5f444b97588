"""Colours of visuals: materials of a robot by name, and those that stand in a visual itself.

A material that is written out in one visual has its name for all others, as readers of URDF have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eomc.frontends.robots.findings import Finding, Kind
from eomc.frontends.urdf.markup import Element
from eomc.frontends.urdf.values import NUMBER
from eomc.model.colours import hex_of
from eomc.wording import did_you_mean

UNSEEN = None
"""In place of a colour: wholly transparent."""

Colour = str | None


@dataclass(frozen=True, slots=True)
class Materials:
    """Colours #rrggbb, or #rrggbbaa, by the names of materials; "" of those that have none."""

    colours: Mapping[str, Colour]
    findings: list[Finding]

    def of(self, visual: Element, link: str) -> Colour:
        """Return the colour of a visual: "" where it has none, None where it is not to be seen."""
        found = visual.all("material")
        if not found:
            return ""
        own = _colour(found[0])
        if own != "":
            return own
        name = found[0].get("name") or ""
        if name in self.colours:
            return self.colours[name]
        if not found[0].children and name:
            detail = f"link {link}: no material of the file has this name; {did_you_mean(name, list(self.colours))}"
            self.findings.append(Finding(Kind.UNCOLOURED, name, found[0].line, detail))
        return ""


def materials_of(root: Element, findings: list[Finding]) -> Materials:
    """Return the materials of a robot; those without a colour that is read are told in `findings`."""
    colours: dict[str, Colour] = {}
    inline = [one for link in root.all("link") for visual in link.all("visual") for one in visual.all("material")]
    for element in (*root.all("material"), *inline):
        name = element.get("name") or ""
        if not element.children:
            continue
        colour = _colour(element)
        if element.all("texture"):
            findings.append(Finding(Kind.UNCOLOURED, name, element.line, "textures are not drawn"))
        elif colour == "":
            findings.append(Finding(Kind.UNCOLOURED, name, element.line, "rgba is four numbers from 0 to 1"))
        colours.setdefault(name, colour)
    return Materials(colours, findings)


def _colour(material: Element) -> Colour:
    """Return the colour that is written out in a material, "" where none is."""
    for element in material.all("color"):
        words = (element.get("rgba") or "").split()
        if len(words) == 4 and all(map(NUMBER.fullmatch, words)):
            red, green, blue, alpha = map(float, words)
            return hex_of(red, green, blue, alpha) if alpha > 0.0 else UNSEEN
    return ""
