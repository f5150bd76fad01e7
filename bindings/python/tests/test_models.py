"""Pydantic's models in hints, and tools without pydantic."""

import datetime
import subprocess
import sys
from dataclasses import dataclass
from typing import Annotated

import pydantic
import pytest
from honeyguide import InvalidInputError
from honeyguide.schema import executor_of_type, tool_of_function
from pydantic import BaseModel, ConfigDict, Field


class Address(BaseModel):
    """Where somebody lives."""

    city: str = Field(description="The city.")
    zip_code: str = Field(alias="zipCode")


class Person(BaseModel):
    name: str
    home: Address
    friends: list["Person"] = []


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    day: datetime.date


@dataclass
class Visit:
    who: Address


ABOUT = {"context": None, "tool_id": "f"}
HOME = {"city": "Oslo", "zipCode": "0150"}


def test_a_model_is_described_and_read_by_pydantic():
    def move(person: Person, when: datetime.date, times: Annotated[int, Field(ge=1)] = 1) -> object:
        """Move.

        Args:
            when: The day.
        """
        return person, when, times

    item = tool_of_function(move)
    schema = item["inputSchema"]
    assert schema["properties"]["person"] == {"$ref": "#/$defs/Person"}
    assert schema["properties"]["when"] == {"type": "string", "format": "date", "description": "The day."}
    assert schema["properties"]["times"] == {"type": "integer", "minimum": 1, "default": 1}
    assert schema["required"] == ["person", "when"]
    assert schema["$defs"]["Address"]["properties"]["zipCode"]["type"] == "string"
    person, when, times = item["execute"].call({"person": {"name": "Ada", "home": HOME}, "when": "2026-01-02"}, ABOUT)
    assert person == Person(name="Ada", home=Address(city="Oslo", zipCode="0150"))
    assert (when, times) == (datetime.date(2026, 1, 2), 1)


def test_two_models_of_one_name_stay_two():
    def models():
        class Address(BaseModel):
            street: str

        return Address

    other = models()

    def f(a: Address, b: other): ...  # type: ignore[valid-type]

    schema = tool_of_function(f)["inputSchema"]
    assert len(schema["$defs"]) == 2
    assert schema["properties"]["a"] != schema["properties"]["b"]


def test_a_field_in_the_default_s_place_describes_the_argument():
    def f(a: int = Field(description="How many.", le=5), b: int = Field(3, ge=1)) -> object:
        return a, b

    schema = tool_of_function(f)["inputSchema"]
    assert schema["properties"] == {
        "a": {"type": "integer", "description": "How many.", "maximum": 5},
        "b": {"type": "integer", "minimum": 1, "default": 3},
    }
    assert schema["required"] == ["a"]


def test_an_omitted_field_gets_its_default_and_not_the_field():
    def f(a: int = Field(3)) -> object:
        return a

    assert tool_of_function(f)["execute"].call({}, ABOUT) == 3


def test_a_strict_model_takes_a_date_from_text():
    def f(a: Strict) -> object:
        return a.day

    assert tool_of_function(f)["execute"].call({"a": {"day": "2026-01-02"}}, ABOUT) == datetime.date(2026, 1, 2)


def test_a_model_inside_a_dataclass_is_read_too():
    def f(a: Visit) -> object:
        return a

    assert tool_of_function(f)["execute"].call({"a": {"who": HOME}}, ABOUT) == Visit(Address(**HOME))


def test_what_pydantic_refuses_is_told_with_its_place():
    def f(a: Annotated[str, pydantic.AfterValidator(lambda text: text.index("x") and text)]) -> object:
        return a

    with pytest.raises(InvalidInputError) as caught:
        tool_of_function(f)["execute"].call({"a": "no"}, ABOUT)
    assert (caught.value.code, caught.value.details) == ("invalid_arguments", {"toolId": "f", "path": "/a"})
    assert isinstance(caught.value.__cause__.cause, pydantic.ValidationError)


async def test_what_pydantic_refuses_is_answered_as_a_mistake_in_the_arguments(hg):
    @hg.tool
    def move(where: Address, times: Annotated[int, pydantic.AfterValidator(lambda n: n // (n - 1))] = 2) -> object:
        return where, times

    @hg.tool
    async def outer() -> object:
        return await hg.tools.invoke("move", {"where": {"city": "Oslo", "zipCode": "0150"}, "times": 1})

    class Picky(Address):
        @pydantic.field_validator("city")
        @classmethod
        def known(cls, city: str) -> str:
            if city != "Oslo":
                raise ValueError("no such city")
            return city

    hg.tools.register({"id": "picky", "inputSchema": Picky, "execute": lambda where: where.city})
    reply = await hg.call("picky", {"city": "Atlantis", "zipCode": "1"})
    assert reply["error"] == "invalid_arguments"
    assert "`/city`: Value error, no such city" in reply["message"]
    with pytest.raises(InvalidInputError) as caught:
        await hg.tools.invoke("picky", {"city": "Atlantis", "zipCode": "1"})
    assert (caught.value.code, caught.value.details["path"]) == ("invalid_arguments", "/city")
    assert await hg.call("picky", {"city": "Oslo", "zipCode": "1"}) == "Oslo"
    assert (await hg.call("move", {"where": HOME, "times": 1}))["error"] == "invalid_arguments"
    assert (await hg.call("outer", {}))["error"] == "tool_failed"


def test_a_model_stands_for_the_schema_of_a_tool():
    schema, executor = executor_of_type(Address, lambda address: address.city)
    assert schema["properties"]["city"]["description"] == "The city."
    assert executor.call(HOME, ABOUT) == "Oslo"


def test_functions_become_tools_where_pydantic_is_not_installed():
    program = """
import sys
sys.modules["pydantic"] = None  # importing it raises ImportError
from dataclasses import dataclass
from honeyguide import Honeyguide
@dataclass
class Point:
    x: int
hg = Honeyguide()
@hg.tool
def double(point: Point) -> int:
    "Doubles."
    return point.x * 2
print(hg.tools.invoke_sync("double", {"point": {"x": 4}}))
"""
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "8\n"


def test_plain_hints_do_not_load_pydantic():
    program = """
import sys
from honeyguide import Honeyguide
hg = Honeyguide()
hg.tools.register(lambda a: a)
print("pydantic" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
