"""A strict reader of XML on the standard library's expat: elements with their lines, within limits.

What other readers mend is refused here: a file that ends too early, or goes on after its end, is another robot. A
document type may hold entities that grow without bounds, or that name other files; URDF needs none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from eomc.frontends.robots.names import shown
from eomc.frontends.urdf.faults import Fault

LARGEST = 2**25  # bytes; the largest robot of a public collection of 69 has 211 kB
MOST = 500_000  # elements
DEEPEST = 64  # elements in each other; URDF needs 6


@dataclass(frozen=True, slots=True)
class Element:
    """An element with its line; `text` is what stands between its children, without the white space."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    children: tuple[Element, ...]
    text: str
    line: int

    def get(self, name: str) -> str | None:
        """Return the value of an attribute, None where it is not given."""
        return dict(self.attributes).get(name)

    def all(self, tag: str) -> tuple[Element, ...]:
        """Return the children of a kind."""
        return tuple(child for child in self.children if child.tag == tag)

    def one(self, tag: str, owner: str) -> Element | None:
        """Return the child of a kind, None where there is none; two of them are refused."""
        found = self.all(tag)
        if len(found) > 1:
            raise Fault(
                found[1].line,
                f"{owner} has two elements <{tag}>, the first on line {found[0].line}: one of them must go",
            )
        return found[0] if found else None


@dataclass(slots=True)
class _Open:
    tag: str
    attributes: tuple[tuple[str, str], ...]
    line: int
    children: list[Element] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


def read_markup(content: bytes) -> Element:
    """Return the root element of an XML document.

    Raises
    ------
    Fault
        The content is no well-formed XML from its first byte to its last, is too large or too deep, has a document
        type, or has elements of xacro, which are programs that make a robot.
    """
    if len(content) > LARGEST:
        raise Fault(1, f"the file has more than {LARGEST // 2**20} MiB: this is no description of a robot")
    reader = _Reader()
    try:
        reader.parser.Parse(content, True)
    except expat.ExpatError as error:
        raise Fault(error.lineno, reader.told(error)) from error
    except (ValueError, LookupError) as error:  # an encoding that Python does not know, or knows too well
        raise Fault(1, "the encoding of the file is not supported: write it in UTF-8") from error
    if reader.root is None:
        raise Fault(1, "the file is empty")
    return reader.root


class _Reader:
    """Handlers of the parser, which build the elements."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self._open: list[_Open] = []
        self._count = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.ordered_attributes = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def told(self, error: expat.ExpatError) -> str:
        """Say in words of our own what the parser did not like."""
        what = expat.ErrorString(error.code)
        if what == expat.errors.XML_ERROR_NO_ELEMENTS and self.root is None and not self._open:
            return "there is no element: the file is empty, or holds comments alone"
        if what in (
            expat.errors.XML_ERROR_NO_ELEMENTS,
            expat.errors.XML_ERROR_UNCLOSED_TOKEN,
            expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
            expat.errors.XML_ERROR_PARTIAL_CHAR,
        ):
            inner = self._open[-1] if self._open else None
            where = f" inside of <{inner.tag}>, which begins on line {inner.line}" if inner else ""
            return f"the file ends too early{where}: it is truncated, or an end tag is missing"
        if what == expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
            return "the file goes on after the end of its root element: a robot is one element <robot>"
        if what == expat.errors.XML_ERROR_TAG_MISMATCH and self._open:
            inner = self._open[-1]
            return f"an end tag does not belong to <{inner.tag}>, which begins on line {inner.line}"
        if what == expat.errors.XML_ERROR_UNDEFINED_ENTITY:
            return "an entity is not defined: only &lt; &gt; &amp; &quot; &apos; and numbers may stand here"
        return f"this is no XML: {what}"

    def _doctype(self, *_: object) -> None:
        raise Fault(
            self.parser.CurrentLineNumber,
            "the file has a document type (<!DOCTYPE ...>), which may define entities: take it out",
        )

    def _start(self, tag: str, attributes: list[str]) -> None:
        line = self.parser.CurrentLineNumber
        if tag.partition(":")[0] == "xacro":
            raise Fault(line, f"<{shown(tag)[1:-1]}> is an element of xacro: run xacro first, as in xacro robot.xacro")
        self._count += 1
        if len(self._open) >= DEEPEST:
            raise Fault(line, f"more than {DEEPEST} elements stand in each other: this is no description of a robot")
        if self._count > MOST:
            raise Fault(line, f"the file has more than {MOST} elements: this is no description of a robot")
        pairs = tuple(zip(attributes[::2], attributes[1::2], strict=True))
        self._open.append(_Open(tag, pairs, line))

    def _end(self, tag: str) -> None:
        own = self._open.pop()
        element = Element(tag, own.attributes, tuple(own.children), " ".join(own.text), own.line)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element

    def _characters(self, text: str) -> None:
        if text.strip():
            self._open[-1].text.append(text.strip())
