"""The reference of the command line, from its parsers: usage and options of each command."""

from __future__ import annotations

import argparse
import re

import markdown_text

from eomc.cli.parser import build_parser


def _commands() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command."""
    (group,) = (a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(group.choices)


def names() -> list[str]:
    """Return the commands in their order."""
    return list(_commands())


def _spelled(action: argparse.Action) -> str:
    """Return an option or argument as one writes it."""
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    value = ""
    if action.nargs != 0:
        value = str(action.metavar or ("{" + ",".join(map(str, action.choices or ())) + "}"))
        value += " ..." if action.nargs in ("+", "*") else ""
    return ", ".join(f"`{name} {value}`" if value else f"`{name}`" for name in action.option_strings)


def table(name: str) -> str:
    """Return usage and options of a command, in Markdown."""
    parser = _commands()[name]
    usage = re.sub(r"^usage: ", "", parser.format_usage()).rstrip()
    rows = [
        (_spelled(action), _sentence(action))
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction)
    ]
    return "\n".join(["```text", usage, "```", "", *markdown_text.table(("argument", "says"), rows)])


def _sentence(action: argparse.Action) -> str:
    """Return the help of an argument."""
    text = " ".join((action.help or "").split()) % {"default": action.default, "prog": "eomc"}
    return text.replace("|", "\\|").replace("<", "\\<").replace("*", "\\*").replace("_", "\\_")
