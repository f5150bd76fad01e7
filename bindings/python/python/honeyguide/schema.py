"""From a Python function to a tool: its definition from type hints and docstring, and how it is called.

Knows nothing of the engine. Imported with the first function that is registered, never with the package.
"""

from __future__ import annotations

import contextlib
import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from . import models
from .calling import UnreadableError
from .docstring import parse_docstring
from .executor import Executor
from .refuse import Refused, write
from .shape import ShapeBuilder, Unshapable

__all__ = ["Context", "executor_of_definition", "executor_of_type", "tool_of_function"]

_Value = TypeVar("_Value")
_CONTEXT = object()

Context = Annotated[_Value, _CONTEXT]
"""Marks the parameter that gets the `context` of the call: `def f(path: str, user: Context[User])`."""

Reader = Callable[[dict[str, Any]], dict[str, Any]]


def tool_of_function(function: Callable[..., Any], fields: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The item for a function: what `fields` gives, and the rest from its name, docstring and type hints."""
    name = getattr(function, "__name__", type(function).__name__)
    about, notes = parse_docstring(inspect.getdoc(function))
    parameters, context = _parameters(function, name)
    schema, read = _schema(parameters, notes, name, getattr(inspect.unwrap(function), "__globals__", {}))

    def arrange(arguments: dict[str, Any], value: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        keywords = read(arguments)
        return (), keywords if context is None else {**keywords, context: value}

    item = {"id": name, "description": about, "inputSchema": schema, **(fields or {})}
    return {**item, "execute": Executor(function, arrange)}


def executor_of_definition(definition: Mapping[str, Any], function: Callable[..., Any]) -> Executor:
    """How a bound function is called: by name when its parameters are the schema's, else with one dict."""
    schema = definition.get("inputSchema")
    wanted = schema.get("properties") if isinstance(schema, dict) else None
    if wanted:
        try:
            made = tool_of_function(function)
        except Refused:
            return Executor(function)
        if set(made["inputSchema"].get("properties", {})) == set(wanted):
            return made["execute"]  # type: ignore[no-any-return]
    return Executor(function)


def executor_of_type(hint: Any, function: Callable[..., Any]) -> tuple[dict[str, Any], Executor]:
    """The input schema that a type stands for, and the executor that hands its function a value of that type."""
    if models.concerns(hint):
        schema, read = models.whole(hint)
        return schema, Executor(function, read=read)
    builder = ShapeBuilder({})
    try:
        shape = builder.build(hint)
    except Unshapable as cause:
        raise Refused("/inputSchema", "schema", str(cause)) from None
    # A model provider wants an object at the root, not a reference to one.
    schema = builder.definitions.get(shape.schema.get("$ref", "").rpartition("/")[2], shape.schema)
    if builder.definitions:
        schema = {**schema, "$defs": builder.definitions}
    return schema, Executor(function, read=shape.read)


def _parameters(function: Callable[..., Any], name: str) -> tuple[dict[str, tuple[Any, Any]], str | None]:
    """The hint and default of each parameter the model fills in, and the name of the one that gets the context."""
    try:
        signature = inspect.signature(function)
        target = function if hasattr(function, "__annotations__") else type(function).__call__
        hints = typing.get_type_hints(target, include_extras=True)
    except Exception as cause:
        raise Refused("/inputSchema", "schema", f"the type hints of `{name}` cannot be read: {cause}") from None
    parameters: dict[str, tuple[Any, Any]] = {}
    context = None
    for at, parameter in enumerate(signature.parameters.values()):
        hint = hints.get(parameter.name, Any)
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            message = f"the parameter `{parameter}` of `{name}` cannot be filled in by name; give it a name and a type"
            raise Refused("/inputSchema", "schema", message)
        if at == 0 and parameter.name in ("self", "cls") and parameter.name not in hints:
            message = f"`{name}` is a method without its object; register the bound method instead"
            raise Refused("/inputSchema", "schema", message)
        if typing.get_origin(hint) is Annotated and _CONTEXT in hint.__metadata__:
            context = parameter.name
        else:
            parameters[parameter.name] = (hint, parameter.default)
    return parameters, context


def _schema(
    parameters: dict[str, tuple[Any, Any]], notes: Mapping[str, str], name: str, names: dict[str, Any]
) -> tuple[dict[str, Any], Reader]:
    if any(models.concerns(hint) or models.concerns_default(default) for hint, default in parameters.values()):
        fields = {key: models.field(*pair) for key, pair in parameters.items()}
        properties, readers, definitions = models.shapes({key: field[0] for key, field in fields.items()})
        defaults = {key: field[1] for key, field in fields.items()}
    else:
        builder = ShapeBuilder(names)
        shapes = {}
        for key, (hint, _) in parameters.items():
            try:
                shapes[key] = builder.build(hint)
            except Unshapable as cause:
                message = f"the parameter `{key}` of `{name}`: {cause}"
                raise Refused(f"/inputSchema/properties/{key}", "schema", message) from None
        properties = {key: shape.schema for key, shape in shapes.items()}
        readers = {key: shape.read for key, shape in shapes.items()}
        definitions = builder.definitions
        defaults = {key: default for key, (_, default) in parameters.items()}

    schema: dict[str, Any] = {
        "type": "object",
        "properties": {key: _described(part, notes.get(key), defaults[key]) for key, part in properties.items()},
        "additionalProperties": False,
    }
    required = [key for key, default in defaults.items() if default is inspect.Parameter.empty]
    if required:
        schema["required"] = required
    if definitions:
        schema["$defs"] = definitions

    def read(arguments: dict[str, Any]) -> dict[str, Any]:
        # An argument without a reader was not asked for: the function's own TypeError says so best.
        values = dict(arguments)
        for key in readers.keys() & values.keys():
            try:
                values[key] = readers[key](values[key])
            except Exception as cause:
                raise UnreadableError(key, cause) from cause
        for key, (_, default) in parameters.items():
            if key not in values and models.concerns_default(default) and not default.is_required():
                values[key] = models.field(Any, default)[1]
        return values

    return schema, read


def _described(schema: dict[str, Any], note: str | None, default: Any) -> dict[str, Any]:
    described = dict(schema)
    if note and "description" not in described:
        described["description"] = note
    if default is not inspect.Parameter.empty and "default" not in described:
        # A default that JSON cannot say is still the function's default.
        with contextlib.suppress(Refused):
            described["default"] = write(getattr(default, "value", default)).value
    return described
