"""`dataclass` and `replace` as in the standard library, in a third of the time where it is about values: frozen, with slots.

A program makes hundreds of such classes as it starts, and most of what would be compiled for them is never called. Here a method
is compiled when it is first called, and each field is set by its slot. The type checker sees the standard library's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from reprlib import recursive_repr
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass, replace
else:

    def dataclass(*, frozen: bool = False, slots: bool = False, kw_only: bool = False, **others: bool) -> Any:
        """The standard library's for whatever is no plain value."""
        if not frozen or not slots or others:
            return dataclasses.dataclass(frozen=frozen, slots=slots, kw_only=kw_only, **others)
        return lambda cls: value(cls, kw_only)

    def replace(of: Any, /, **changes: Any) -> Any:
        """A copy in which these fields have other contents."""
        own = vars(type(of)).get(REPLACE)
        return dataclasses.replace(of, **changes) if own is None else own(of, **changes)


Fields = dict[str, "dataclasses.Field[Any]"]
FIELDS = "__dataclass_fields__"
REPLACE = "__replace__"
NOT_YET = "not compiled yet"


@dataclasses.dataclass(frozen=True)
class _Frozen:
    """Has the parameters of all values: a subclass that the standard library makes must be frozen, too."""


def value(cls: type, kw_only: bool) -> type:
    """The class anew, with slots, and with the methods that it does not define itself."""
    own = _own_fields(cls, kw_only)
    fields: Fields = {name: each for base in cls.__mro__[:0:-1] for name, each in vars(base).get(FIELDS, {}).items()}
    fields |= own
    taken = {slot for base in cls.__mro__[1:-1] for slot in vars(base).get("__slots__", ())}
    body = {name: each for name, each in vars(cls).items() if name not in own and name not in NOT_KEPT}
    later = {name: source for name, source in SOURCES.items() if body.get(name) is None}
    if "__eq__" in body and "__hash__" in body and body["__hash__"] is not None:
        later.pop("__hash__", None)
    if "__init__" in body:
        later.pop(REPLACE)  # what it does with its arguments is its own affair
    body = {**METHODS, **body, **FROZEN}
    body |= {
        FIELDS: fields,
        "__qualname__": cls.__qualname__,
        "__slots__": tuple(name for name in fields if name not in taken),
        "__match_args__": tuple(name for name, each in fields.items() if not each.kw_only),
    }
    made: type = type(cls)(cls.__name__, cls.__bases__, body)
    for name in later:
        setattr(made, name, _compiled_later(made, name))
    return made


def _own_fields(cls: type, kw_only: bool) -> Fields:
    """What its annotations mean is found out by the standard library, from a class that has nothing else."""
    notes = vars(cls).get("__annotations__", {})
    body = {name: vars(cls)[name] for name in notes if name in vars(cls)}
    body |= {"__annotations__": notes, "__module__": cls.__module__, "__doc__": "Fields."}
    bare = type(cls.__name__, (), body)
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False, kw_only=kw_only)(bare)
    found = {each.name: each for each in dataclasses.fields(made)}
    if not all(each.init for each in found.values()):
        raise TypeError(f"{cls.__name__}: a value is given all its fields")
    return found


def _compiled_later(owner: type, name: str) -> Callable[..., Any]:
    """A method that puts the compiled one in its place when it is first called."""

    def first(*arguments: Any, **named: Any) -> Any:
        return _compile(owner, name)(*arguments, **named)

    first.__name__ = NOT_YET
    return first


def _compile(owner: type, name: str) -> Callable[..., Any]:
    names: dict[str, Any] = {}
    exec(SOURCES[name](owner, getattr(owner, FIELDS), names), names)
    method: Callable[..., Any] = names[name]
    method.__qualname__ = f"{owner.__qualname__}.{name}"
    setattr(owner, name, method)
    return method


def compile_values(module: ModuleType) -> None:
    """Compile what makes and changes the values of this module, for who has time now and will be in a hurry."""
    for owner in [each for each in vars(module).values() if isinstance(each, type)]:
        for name in ("__init__", REPLACE):
            if getattr(vars(owner).get(name), "__name__", "") == NOT_YET:
                _compile(owner, name)


def _init(owner: type, fields: Fields, names: dict[str, Any]) -> str:
    """Its parameters begin with what is given by place, and default values that are made are made in it."""
    names["_made"] = object()
    given: list[str] = []
    named: list[str] = []
    lines: list[str] = []
    for name, each in fields.items():
        names[f"_set_{name}"] = getattr(owner, name).__set__
        parameter, what = name, name
        if each.default is not dataclasses.MISSING:
            names[f"_default_{name}"] = each.default
            parameter = f"{name}=_default_{name}"
        elif each.default_factory is not dataclasses.MISSING:
            names[f"_make_{name}"] = each.default_factory
            parameter, what = f"{name}=_made", f"_make_{name}() if {name} is _made else {name}"
        (named if each.kw_only else given).append(parameter)
        lines.append(f"_set_{name}(self, {what})")
    if hasattr(owner, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join(["self", *given, *(["*", *named] if named else [])])
    return "\n ".join([f"def __init__({parameters}):", *(lines or ["pass"])])


def _eq(_: type, fields: Fields, __: dict[str, Any]) -> str:
    names = [name for name, each in fields.items() if each.compare]
    compared = f"{_all_of('self', names)} == {_all_of('other', names)}"
    return f"def __eq__(self, other):\n return {compared} if other.__class__ is self.__class__ else NotImplemented"


def _hash(_: type, fields: Fields, __: dict[str, Any]) -> str:
    names = [name for name, each in fields.items() if (each.compare if each.hash is None else each.hash)]
    return f"def __hash__(self):\n return hash({_all_of('self', names)})"


def _all_of(of: str, names: Iterable[str]) -> str:
    return f"({''.join(f'{of}.{name}, ' for name in names)})"


def _replace(owner: type, fields: Fields, names: dict[str, Any]) -> str:
    names |= {"_new_of": object.__new__, "_kept": object()}
    names |= {f"_set_{name}": getattr(owner, name).__set__ for name in fields}
    lines = ["_copy = _new_of(self.__class__)"]  # no field is called so
    lines += [f"_set_{name}(_copy, self.{name} if {name} is _kept else {name})" for name in fields]
    lines += ["_copy.__post_init__()"] if hasattr(owner, "__post_init__") else []
    parameters = ", ".join(["self", "/", *(["*"] if fields else []), *(f"{name}=_kept" for name in fields)])
    return "\n ".join([f"def {REPLACE}({parameters}):", *lines, "return _copy"])


SOURCES = {"__init__": _init, "__eq__": _eq, "__hash__": _hash, REPLACE: _replace}


@recursive_repr("...")
def _shown(self: Any) -> str:
    shown = [f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self) if each.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, content in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, content)


def _is_frozen(self: Any, name: str) -> bool:
    """Of a subclass that is no dataclass, only the fields are."""
    return FIELDS in vars(type(self)) or name in getattr(self, FIELDS)


def _refuse_to_set(self: Any, name: str, content: Any) -> None:
    if _is_frozen(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, content)


def _refuse_to_delete(self: Any, name: str) -> None:
    if _is_frozen(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


METHODS = {"__repr__": _shown, "__getstate__": _state, "__setstate__": _restore}
"""Whatever a class does not define itself."""
FROZEN = {
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_delete,
    "__dataclass_params__": vars(_Frozen)["__dataclass_params__"],
}
NOT_KEPT = ("__dict__", "__weakref__")
