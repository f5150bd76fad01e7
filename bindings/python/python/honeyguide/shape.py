"""From one type to its JSON Schema, and from a JSON value back to the type.

Knows nothing of functions, tools or pydantic. Standard library types only; a type without a JSON form is refused with
a sentence that says what to write instead.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import sys
import types
import typing
from collections.abc import Callable
from typing import Any

__all__ = ["Shape", "ShapeBuilder", "Unshapable"]

Convert = Callable[[Any], Any]


class Unshapable(Exception):  # noqa: N818 (a reason that becomes a diagnostic)
    """Why a type has no JSON Schema."""


@dataclasses.dataclass(frozen=True)
class Shape:
    """A schema, which JSON values it is for, and how to make the type's own value (None: the JSON value is it)."""

    schema: dict[str, Any]
    python: tuple[type, ...] = (object,)
    convert: Convert | None = None

    def read(self, value: Any) -> Any:
        """The type's own value; `TypeError` or `ValueError` when this is not it."""
        if not isinstance(value, self.python) or (isinstance(value, bool) and not self._takes_bool):
            raise TypeError(f"unexpected value of type {type(value).__name__}")
        return value if self.convert is None else self.convert(value)

    @property
    def _takes_bool(self) -> bool:
        return bool in self.python or object in self.python


_NULL = Shape({"type": "null"}, (type(None),))
_PLAIN: dict[Any, Shape] = {
    str: Shape({"type": "string"}, (str,)),
    bool: Shape({"type": "boolean"}, (bool,)),
    int: Shape({"type": "integer"}, (int, float), lambda value: _whole(value)),
    float: Shape({"type": "number"}, (int, float), float),
    type(None): _NULL,
    None: _NULL,
    Any: Shape({}),
    object: Shape({}),
}
# Types that travel as text, by name, so that none of their modules is imported for a program that uses none.
_TEXT: dict[tuple[str, str], tuple[str | None, str | None]] = {
    ("datetime", "datetime"): ("date-time", "fromisoformat"),
    ("datetime", "date"): ("date", "fromisoformat"),
    ("datetime", "time"): ("time", "fromisoformat"),
    ("uuid", "UUID"): ("uuid", None),
    ("pathlib", "Path"): (None, None),
    ("pathlib", "PurePath"): (None, None),
    ("decimal", "Decimal"): (None, None),
}
_LISTS = {
    list: list, collections.abc.Sequence: list, collections.abc.MutableSequence: list, collections.abc.Iterable: list,
    collections.abc.Collection: list, set: set, frozenset: frozenset, collections.abc.Set: set,
    collections.abc.MutableSet: set,
}  # fmt: skip
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


class ShapeBuilder:
    """Builds the shapes of one schema; types that contain themselves go into its `definitions`."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.definitions: dict[str, Any] = {}
        # Where names inside hints are looked up: those of the module that the hint stands in.
        self._names = names
        self._open: dict[type, str] = {}
        self._recursive: dict[type, list[Shape]] = {}
        self._finished: dict[type, Shape] = {}

    def build(self, hint: Any) -> Shape:
        """The shape of a type; raises `Unshapable`."""
        if isinstance(hint, (str, typing.ForwardRef)):
            return self.build(self._look_up(hint))
        if isinstance(hint, typing.TypeVar):
            return self.build(hint.__bound__ or Any)
        if type(hint).__name__ == "TypeAliasType":
            return self.build(hint.__value__)
        if type(hint).__name__ == "NewType":
            return self.build(hint.__supertype__)
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:
            return self._annotated(arguments[0], arguments[1:])
        if _qualifier(hint) is not None:
            return self.build(arguments[0])
        if origin is typing.Literal:
            return _one_of(list(arguments))
        if origin in (typing.Union, types.UnionType):
            return self._union([self.build(part) for part in arguments])
        plain = _PLAIN.get(hint) if isinstance(hint, collections.abc.Hashable) else None
        if plain is not None:
            return plain
        kind = origin or hint
        if kind is tuple:
            return self._tuple(arguments)
        if kind in _LISTS:
            return self._list(_LISTS[kind], arguments)
        if kind in _MAPPINGS:
            return self._mapping(arguments)
        if isinstance(kind, type):
            return self._class(kind)
        raise Unshapable(f"`{_name(hint)}` has no JSON Schema; use a plain type, a dataclass or a TypedDict")

    def _annotated(self, hint: Any, notes: tuple[Any, ...]) -> Shape:
        shape = self.build(hint)
        for note in notes:
            text = note if isinstance(note, str) else getattr(note, "documentation", None)
            if isinstance(text, str):
                return dataclasses.replace(shape, schema={**shape.schema, "description": text})
        return shape

    def _union(self, parts: list[Shape]) -> Shape:
        schema = {"anyOf": [part.schema for part in parts]}
        python = tuple(kind for part in parts for kind in part.python)
        if all(part.convert is None for part in parts):
            return Shape(schema, python)

        def convert(value: Any) -> Any:
            for part in parts:
                try:
                    return part.read(value)
                except (TypeError, ValueError, LookupError):
                    continue
            raise ValueError("the value fits no member of the union")

        return Shape(schema, python, convert)

    def _list(self, make: type, arguments: tuple[Any, ...]) -> Shape:
        item = self.build(arguments[0]) if arguments else Shape({})
        schema: dict[str, Any] = {"type": "array", "items": item.schema}
        if make is not list:
            schema["uniqueItems"] = True
        return Shape(schema, (list,), lambda value: make(item.read(part) for part in value))

    def _tuple(self, arguments: tuple[Any, ...]) -> Shape:
        if not arguments:
            return Shape({"type": "array"}, (list,), tuple)
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            item = self.build(arguments[0])
            return Shape(
                {"type": "array", "items": item.schema},
                (list,),
                lambda value: tuple(item.read(part) for part in value),
            )
        parts = [] if arguments == ((),) else [self.build(part) for part in arguments]
        schema = {
            "type": "array",
            "prefixItems": [part.schema for part in parts],
            "minItems": len(parts),
            "maxItems": len(parts),
        }

        def convert(value: Any) -> Any:
            if len(value) != len(parts):
                raise ValueError(f"expected {len(parts)} items, got {len(value)}")
            return tuple(part.read(item) for part, item in zip(parts, value, strict=True))

        return Shape(schema, (list,), convert)

    def _mapping(self, arguments: tuple[Any, ...]) -> Shape:
        if not arguments:
            return Shape({"type": "object"}, (dict,))
        key, item = self.build(arguments[0]), self.build(arguments[1])
        if key.schema.get("type") != "string":
            raise Unshapable(f"a mapping with keys of type `{_name(arguments[0])}` has no JSON form; use `str` keys")
        schema: dict[str, Any] = {"type": "object", "additionalProperties": item.schema}
        if "enum" in key.schema:
            schema["propertyNames"] = key.schema
        return Shape(schema, (dict,), lambda value: {key.read(k): item.read(v) for k, v in value.items()})

    def _class(self, kind: type) -> Shape:
        if issubclass(kind, enum.Enum):
            return _one_of(list(kind))
        if kind.__module__ and (origin := (kind.__module__.partition(".")[0], kind.__qualname__)) in _TEXT:
            return _text(kind, *_TEXT[origin])
        if dataclasses.is_dataclass(kind):
            fields = [field for field in dataclasses.fields(kind) if field.init]
            optional = {f.name for f in fields if not _is_required(f)}
            return self._object(kind, {field.name for field in fields}, optional, lambda values: kind(**values))
        if typing.is_typeddict(kind):
            return self._object(kind, None, set(kind.__optional_keys__), None)  # type: ignore[attr-defined]
        if kind in (bytes, bytearray, memoryview):
            raise Unshapable(f"`{kind.__name__}` has no JSON form; take a `str` and decode it (base64, for example)")
        raise Unshapable(f"`{_name(kind)}` has no JSON Schema; use a plain type, a dataclass or a TypedDict")

    def _object(self, kind: type, names: set[str] | None, optional: set[str], make: Convert | None) -> Shape:
        if kind in self._finished:
            return self._finished[kind]
        if kind in self._open:
            # The type contains itself: point to a definition, and read through the shape that is being built.
            finished = self._recursive.setdefault(kind, [])
            return Shape({"$ref": f"#/$defs/{self._open[kind]}"}, (dict,), lambda value: finished[0].read(value))
        self._open[kind] = self._free_name(kind.__name__)
        try:
            hints = typing.get_type_hints(kind, include_extras=True)
        except Exception as cause:
            raise Unshapable(f"the fields of `{kind.__name__}` cannot be read: {cause}") from None
        outer, self._names = self._names, getattr(sys.modules.get(kind.__module__), "__dict__", {})
        parts = {name: self.build(hint) for name, hint in hints.items() if names is None or name in names}
        self._names = outer
        # A TypedDict whose hints were text when it was made does not know its own qualifiers.
        optional = {name for name in parts if _qualifier(hints[name]) != "Required" and name in optional}
        optional |= {name for name in parts if _qualifier(hints[name]) == "NotRequired"}
        required = [name for name in parts if name not in optional]
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {name: part.schema for name, part in parts.items()},
            "required": required,
            "additionalProperties": False,
        }

        def convert(value: Any) -> Any:
            if value.keys() - parts.keys() or set(required) - value.keys():
                raise ValueError(f"the fields are not those of `{kind.__name__}`")
            values = {name: parts[name].read(part) for name, part in value.items()}
            return values if make is None else make(values)

        name = self._open.pop(kind)
        shape = Shape(schema, (dict,), convert)
        if kind in self._recursive:
            self.definitions[name] = schema
            shape = Shape({"$ref": f"#/$defs/{name}"}, (dict,), convert)
            self._recursive[kind].append(shape)
        self._finished[kind] = shape
        return shape

    def _look_up(self, hint: Any) -> Any:
        # Before Python 3.11 a name in quotes inside `list["Name"]` stays text.
        holder = types.SimpleNamespace(__annotations__={"hint": hint})
        try:
            return typing.get_type_hints(holder, self._names, include_extras=True)["hint"]
        except Exception as cause:
            raise Unshapable(f"the type {hint!r} cannot be found: {cause}") from None

    def _free_name(self, name: str) -> str:
        taken = {*self.definitions, *self._open.values()}
        free, number = name, 2
        while free in taken:
            free, number = f"{name}{number}", number + 1
        return free


def _one_of(choices: list[Any]) -> Shape:
    """One of some values; a member of an enumeration travels as its value."""
    values = [choice.value if isinstance(choice, enum.Enum) else choice for choice in choices]
    names = {bool: "boolean", str: "string", int: "integer", float: "number", type(None): "null"}
    kinds = {names.get(type(value)) for value in values}
    if None in kinds:
        raise Unshapable("a choice holds a value that has no JSON form; use text, numbers, booleans or None")
    schema: dict[str, Any] = {"enum": values}
    if len(kinds) == 1:
        schema = {"type": kinds.pop(), **schema}

    def convert(value: Any) -> Any:
        for choice, known in zip(choices, values, strict=True):
            if value == known and isinstance(value, bool) == isinstance(known, bool):
                return choice
        raise ValueError(f"{value!r} is none of the choices")

    return Shape(schema, (object,), convert)


def _whole(value: Any) -> int:
    # JSON Schema takes 3.0 for an integer; Python does not.
    if value != int(value):
        raise ValueError(f"{value!r} is not a whole number")
    return int(value)


def _text(kind: type, form: str | None, reader: str | None) -> Shape:
    schema = {"type": "string"} if form is None else {"type": "string", "format": form}
    return Shape(schema, (str,), getattr(kind, reader) if reader else kind)


def _qualifier(hint: Any) -> str | None:
    """`Required` and the like, from `typing` or `typing_extensions`."""
    name = getattr(typing.get_origin(hint), "_name", None)
    return name if name in ("Required", "NotRequired", "ReadOnly", "Final") else None


def _is_required(field: Any) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _name(hint: Any) -> str:
    return getattr(hint, "__qualname__", None) or repr(hint)
