"""The base of every model of what a user may write, and the value types that all of them share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetJsonSchemaHandler, model_validator
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue


class Options(BaseModel):
    """What a user may write in one place: checked once, then frozen; unknown keys are errors."""

    short_forms: ClassVar[tuple[dict[str, Any], ...]] = ()
    """JSON schemas of what may be written instead of the mapping."""
    noun: ClassVar[str] = "a mapping"
    """What is written there, in words."""

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        validate_by_name=True,
        validate_by_alias=True,
        hide_input_in_errors=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _no_empty_keys(cls, value: Any) -> Any:
        """A key without a value is no way to say nothing: most often something after it was lost."""
        if isinstance(value, Written) and (empty := [key for key, inner in value.items() if inner is None]):
            raise Several([Wrong(EMPTY.what, EMPTY.fix, (key,)) for key in empty])
        return value


class Wrong(ValueError):  # noqa: N818 (it is told to people as a Problem, not as an error of ours)
    """Why a value cannot stand where it does, and how to mend it; ``at`` leads on from there to the part at fault,
    ``named`` says that its key is at fault, not its value, ``quote`` which text stands in quotes once it is mended."""

    def __init__(
        self, what: str, fix: str = "", at: tuple[str | int, ...] = (), *, named: bool = False, quote: str = ""
    ) -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix
        self.at = at
        self.named = named
        self.quote = quote


class Several(ValueError):  # noqa: N818 (as above)
    """Several things that are wrong, found by one check."""

    def __init__(self, found: Sequence[Wrong]) -> None:
        super().__init__("; ".join(wrong.what for wrong in found))
        self.found = tuple(found)


class Plain(str):
    """Text that stood in YAML without quotes; ``cut`` is what YAML took off its end as a comment."""

    __slots__ = ("cut",)

    cut: str

    def __new__(cls, text: str, cut: str = "") -> Plain:
        """Text as it was written, and the comment behind it."""
        made = super().__new__(cls, text)
        made.cut = cut
        return made


class FlowList(list[Any]):
    """A list that was written in brackets."""


class Written(dict[str, Any]):
    """A mapping as it was written in a file; none of the names that only models know may stand in it."""


def shape(value: Any) -> str:
    """What a value is, in a user's words.

    >>> [shape(v) for v in (None, "x", ["x"], {})]
    ['nothing', 'text', 'a list', 'a mapping']
    """
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a mapping"
    return "text" if isinstance(value, str) else "a list" if isinstance(value, Sequence) else "a value"


def shown(value: Any) -> str:
    """A value as messages quote it: text in quotes and not too long, anything else by its shape."""
    if not isinstance(value, str):
        return shape(value)
    return f'"{value}"' if len(value) <= 60 else f'"{value[:57]}…"'


EMPTY = Wrong("the value is missing", "write one, or drop the key")
"""What a key without a value is told."""


def text(value: Any) -> str:
    """Text and nothing else; raises Wrong."""
    if isinstance(value, str):
        return str(value)
    if value is None:
        raise EMPTY
    if isinstance(value, FlowList) and value and all(isinstance(entry, str) for entry in value):
        what = "text is needed here, and YAML reads a value that begins with [ as a list"
        raise Wrong(what, "(or write one text)", quote=f"[{', '.join(value)}]")
    raise Wrong(f"{shape(value)} stands where text is needed", "write one text; quote it where YAML reads it otherwise")


def _filled(value: Any) -> str:
    written = text(value)
    if not written.strip():
        raise Wrong("the text is empty", "write one, or drop the key")
    return written


_CUT = re.compile(r"#[^\s#]")


def expression(value: Any) -> str:
    """The text of a selector or regex; raises Wrong also where YAML took its end for a comment."""
    if isinstance(value, Plain) and _CUT.match(value.cut):
        what = f'YAML reads " {value.cut}" as a comment, so only {shown(str(value))} is left'
        raise Wrong(what, "(a comment has a blank after its #)", quote=f"{value} {value.cut}")
    return _filled(value)


def quoted(words: str) -> str:
    """The text in YAML's single quotes.

    >>> print(quoted("it's"))
    'it''s'
    """
    return "'" + words.replace("'", "''") + "'"


def _whole(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if re.fullmatch(r"[+-]?[0-9]{1,18}", text(value), re.ASCII):
        return int(value)
    raise Wrong(f"{shown(value)} is no whole number", "write digits only, such as 3")


def _flag(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if text(value) in ("true", "false"):
        return value == "true"
    raise Wrong(f"{shown(value)} is neither true nor false", "write true or false")


_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_BYTES |= {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def measured(value: Any, units: Mapping[str, float], what: str, fix: str) -> float:
    """A number with one of the units, in the base unit; raises Wrong."""
    found = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)[ ]?([A-Za-z]*)", text(value), re.ASCII)
    if found and found[2] in units:
        return float(found[1]) * units[found[2]]
    if found and not found[2]:
        raise Wrong(f"{shown(value)} has no unit", fix)
    raise Wrong(f"{shown(value)} is no {what}", fix)


def _duration(value: Any) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return measured(value, _SECONDS, "duration", "write a number and ms, s, m, h or d, such as 500ms, 2s, 5m or 7d")


def _size(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(measured(value, _BYTES, "size", "write a number and B, kB, MB or GB, such as 20MB"))


def _share(value: Any) -> Any:
    if isinstance(value, float):
        return value
    found = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,9})?)[ ]?%", text(value), re.ASCII)
    if not found or float(found[1]) > 100:
        raise Wrong(f"{shown(value)} is no share", "write a per cent value from 0% to 100%, such as 95%")
    return float(found[1]) / 100


class Spelling:
    """How a value is written, as JSON schema and in words, where that is not how the model keeps it."""

    def __init__(self, kind: str = "", **schema: Any) -> None:
        self.kind = kind
        self.schema = schema

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return dict(self.schema)


class AlsoWritten:
    """What may be written besides what a model says, for the JSON schema."""

    def __init__(self, *ways: dict[str, Any]) -> None:
        self.ways = ways

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [*self.ways, handler(core)]}


def alternatives(model: str) -> tuple[dict[str, Any], ...]:
    """The JSON schemas of the short forms of a selector: a text, or a list of `model` that is tried in order."""
    listed = {"type": "array", "items": {"$ref": f"#/$defs/{model}"}, "minItems": 1}
    return {"type": "string"}, listed


Text = Annotated[str, BeforeValidator(text), Spelling("a text", type=["string", "number", "boolean"])]
"""Any text, the empty one too; YAML's numbers and booleans are text here."""

Filled = Annotated[str, BeforeValidator(_filled), Spelling("a text", type=["string", "number", "boolean"])]
"""Text that is not empty."""

Expression = Annotated[str, BeforeValidator(expression), Spelling("an expression", type="string")]
"""A selector, a query or a regex."""

Flag = Annotated[bool, BeforeValidator(_flag, json_schema_input_type=bool)]
"""``true`` or ``false``: the only booleans of the language."""

Whole = Annotated[int, BeforeValidator(_whole, json_schema_input_type=int)]
"""A whole number."""

Duration = Annotated[
    float, BeforeValidator(_duration), Spelling("a duration", type="string", pattern=r"^[0-9.]+ ?(ms|s|m|h|d)$")
]
"""Seconds; written with a unit."""

Size = Annotated[
    int, BeforeValidator(_size), Spelling("a size", type="string", pattern=r"^[0-9.]+ ?([kKMGT]?B|[KMG]iB)$")
]
"""Bytes; written with a unit."""

Share = Annotated[float, BeforeValidator(_share), Spelling("a share", type="string", pattern=r"^[0-9.]+ ?%$")]
"""0 to 1; written in per cent."""

LATER = "not yet supported in this version"


def _later(value: Any) -> Any:  # noqa: ARG001 (whatever it is)
    raise Wrong(LATER, "leave it out", named=True)


class _Nothing(Spelling):
    """Marks a key of the language that this version refuses."""


Later = Annotated[Any, BeforeValidator(_later), _Nothing(**{"not": {}})]
"""A key of the language that this version knows and refuses."""


SHORT: dict[str, Any] = {"x-shorthand": True}
"""Marks the name under which a model keeps what is written without a key."""


def is_later(option: FieldInfo) -> bool:
    """Whether this version refuses the key."""
    return any(isinstance(mark, _Nothing) for mark in option.metadata)


def is_written(option: FieldInfo) -> bool:
    """Whether the key may be written in this version; false for the name of what is written without one."""
    return not is_later(option) and option.json_schema_extra != SHORT


def one_of(*allowed: str, later: Sequence[str] = ()) -> tuple[BeforeValidator, Spelling]:
    """Annotations of a text that is one of a few words, some of which this version refuses."""

    def check(value: Any) -> Any:
        word = text(value)
        if word in later:
            raise Wrong(f'"{word}" is {LATER}', f"say {either(allowed)}")
        if word not in allowed:
            raise Wrong(f"{shown(word)} is not known here", nearest(word, allowed) or f"say {either(allowed)}")
        return word

    return BeforeValidator(check), Spelling(enum=list(allowed))


def either(words: Sequence[str]) -> str:
    """The words as a choice.

    >>> either(["css", "xpath", "json"])
    'css, xpath or json'
    """
    return " or ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def nearest(word: str, known: Sequence[str]) -> str:
    """The question whether a known word was meant; empty where none is near.

    >>> nearest("tabel", ["to", "table"])
    'did you mean "table"?'
    """
    # Imported here: difflib costs more than the rest of the module, and most specs are right.
    from difflib import get_close_matches

    lower = {k.lower(): k for k in known}
    found = get_close_matches(word.lower(), lower, n=1, cutoff=0.6)
    return f'did you mean "{lower[found[0]]}"?' if found else ""


T = TypeVar("T")


class _Listed:
    """The annotation of `Listed`."""

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        many = handler(core)
        return {"anyOf": [many["items"], {**many, "minItems": 1}]}


def _listed(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        if not value:
            raise Wrong("the list is empty", "write at least one, or drop the key")
        return list(value)
    if value is None:
        raise EMPTY
    return [value]


Listed = Annotated[list[T], BeforeValidator(_listed), _Listed()]
"""One or several; one alone is written without brackets."""


def _named(value: Any) -> Any:
    if isinstance(value, Mapping):
        return value
    if value is None:
        raise EMPTY
    raise Wrong(f"{shape(value)} stands where a mapping is needed", "write it as  name: value")


Named = Annotated[dict[str, T], BeforeValidator(_named)]
"""A mapping of names."""
