"""Whether a value is as a scenario says: whole, or in part. Knows no program."""

import re

MATCHERS = {"$contains", "$lacks", "$some"}


def fault_in(found, wanted, *, part, place=""):
    """What is otherwise than wanted, and where; nothing when all is as it should be."""
    if isinstance(wanted, dict) and wanted.keys() & MATCHERS:
        return _fault_of_matcher(found, wanted, place)
    if isinstance(wanted, dict):
        if not isinstance(found, dict):
            return f"{place}: {found!r} is no object"
        if not part and found.keys() != wanted.keys():
            return f"{place}: has {sorted(found)} and not {sorted(wanted)}"
        for key, value in wanted.items():
            if key not in found:
                return f"{place}: has no {key!r} but {sorted(found)}"
            if fault := fault_in(found[key], value, part=part, place=f"{place}/{key}"):
                return fault
        return None
    if isinstance(wanted, list):
        if not isinstance(found, list) or len(found) != len(wanted):
            return f"{place}: {found!r} is no list of {len(wanted)}"
        faults = (
            fault_in(one, value, part=part, place=f"{place}/{at}")
            for at, (one, value) in enumerate(zip(found, wanted, strict=True))
        )
        return next((fault for fault in faults if fault), None)
    same = found == wanted and isinstance(found, bool) == isinstance(wanted, bool)
    return None if same else f"{place}: {found!r} is not {wanted!r}"


def _fault_of_matcher(found, wanted, place):
    if "$some" in wanted:
        if not isinstance(found, list):
            return f"{place}: {found!r} is no list"
        if any(fault_in(one, wanted["$some"], part=True) is None for one in found):
            return None
        return f"{place}: none of {found!r} has {wanted['$some']!r}"
    return fault_in_text(found, {key[1:]: value for key, value in wanted.items()}, place)


def fault_in_text(text, wanted, place=""):
    """What is otherwise than wanted in a text."""
    if not isinstance(text, str):
        return f"{place}: {text!r} is no text"
    if isinstance(wanted, str):
        return None if text == wanted else f"{place}: {text!r} is not {wanted!r}"
    for part in wanted.get("contains", []):
        if part not in text:
            return f"{place}: {text!r} does not contain {part!r}"
    for part in wanted.get("lacks", []):
        if part in text:
            return f"{place}: {text!r} contains {part!r}"
    for pattern in wanted.get("matches", []):
        if not re.search(pattern, text, re.MULTILINE):
            return f"{place}: no line of {text!r} matches {pattern!r}"
    return None
