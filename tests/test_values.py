"""Values do what the standard library's frozen dataclasses with slots do, also where one derives from the other."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import field
from inspect import isabstract
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar, cast

import pytest

from protocol import values

T = TypeVar("T")
MAKERS: list[Any] = [dataclasses.dataclass, values.dataclass]


class Base(ABC):
    """What is no dataclass, with slots of its own."""

    __slots__ = ("hidden",)
    kind: ClassVar[str] = "base"

    @abstractmethod
    def name(self) -> str: ...


def point(maker: Any) -> Any:
    @maker(frozen=True, slots=True)
    class Point:
        """A point."""

        x: int
        y: int = 2
        tags: list[str] = field(default_factory=list, compare=False)
        cached: int = field(default=0, repr=False, hash=False)
        LIMIT: ClassVar[int] = 7

    return Point


@values.dataclass(frozen=True, slots=True)
class Kept:
    x: int
    y: str = ""


@pytest.fixture(params=MAKERS, ids=["standard", "ours"])
def maker(request: pytest.FixtureRequest) -> Iterator[Any]:
    return request.param  # type: ignore[no-any-return]


def test_fields_are_given_by_place_or_by_name_and_default_values_are_made_anew(maker: Any) -> None:
    of = point(maker)
    one, other = of(1), of(x=1, y=3, tags=["a"], cached=4)
    assert (one.x, one.y, one.tags, one.cached) == (1, 2, [], 0)
    assert (other.x, other.y, other.tags, other.cached) == (1, 3, ["a"], 4)
    assert one.tags is not of(1).tags
    wrongs: list[tuple[object, ...]] = [(), (1, 2, [], 0, 5)]
    for wrong in wrongs:
        with pytest.raises(TypeError, match=r"Point.__init__\(\)"):
            of(*wrong)
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        of(1, z=2)


def test_what_is_equal_has_one_hash_and_what_is_not_compared_does_not_count(maker: Any) -> None:
    of = point(maker)
    assert of(1) == of(1, 2, ["a"]) != of(1, 3) != 1
    assert of(1) != of(1, cached=1)
    assert hash(of(1)) == hash(of(1, cached=1)) == hash((1, 2)) != hash(of(2))
    assert of(1) != point(maker)(1), "another class"


def test_nothing_is_changed(maker: Any) -> None:
    of = point(maker)
    one = of(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        one.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del one.x
    assert not hasattr(one, "__dict__")
    assert of.__slots__ == ("x", "y", "tags", "cached")


def test_it_is_shown_copied_taken_apart_and_asked_for_its_fields(maker: Any) -> None:
    of = point(maker)
    one = of(1)
    assert repr(one) == "point.<locals>.Point(x=1, y=2, tags=[])"
    assert dataclasses.replace(one, x=5) == of(5)
    assert [each.name for each in dataclasses.fields(of)] == ["x", "y", "tags", "cached"]
    assert [each.type for each in dataclasses.fields(of)] == ["int", "int", "list[str]", "int"]
    assert dataclasses.asdict(one) == {"x": 1, "y": 2, "tags": [], "cached": 0}
    assert (of.LIMIT, of.__doc__, of.__qualname__) == (7, "A point.", "point.<locals>.Point")
    match one:
        case of(x, y):
            assert (x, y) == (1, 2)
    again = copy.copy(one)
    assert again == one and again is not one and copy.deepcopy(one).tags is not one.tags


def test_what_a_class_defines_itself_stays(maker: Any) -> None:
    @maker(frozen=True, slots=True)
    class Own:
        x: int

        def __init__(self, text: str) -> None:
            object.__setattr__(self, "x", int(text))

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

    own: Any = Own
    assert (own("3").x, repr(own("3"))) == (3, "own")
    assert own("3") == own("4")
    assert hash(own("3")) == hash((3,)), "a hash is made for the fields"

    @maker(frozen=True, slots=True)
    class Hashed:
        x: int

        def __hash__(self) -> int:
            return 5

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError("negative")

    hashed: Any = Hashed
    assert hash(hashed(1)) == 5 and hashed(1) == hashed(1)
    with pytest.raises(ValueError, match="negative"):
        hashed(-1)

    @maker(frozen=True, slots=True)
    class Both(Hashed):
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 6

    both: Any = Both
    assert hash(both(1)) == 6 and both(1) == both(2)


def test_fields_that_are_only_named_stand_behind_the_others(maker: Any) -> None:
    @maker(frozen=True, slots=True, kw_only=True)
    class Named:
        x: int = 1
        y: int

    @maker(frozen=True, slots=True)
    class More(Named):
        z: int

    named: Any = Named
    more: Any = More
    assert more(3, y=2) == more(x=1, y=2, z=3) and more.__match_args__ == ("z",)
    with pytest.raises(TypeError):
        named(1, 2)


@pytest.mark.parametrize("derived", MAKERS, ids=["standard derived", "ours derived"])
def test_a_value_derives_from_another_whoever_made_it(maker: Any, derived: Callable[..., Any]) -> None:
    @maker(frozen=True, slots=True)
    class One(Base, Generic[T]):
        x: T
        y: int = 0

        def name(self) -> str:
            return "one"

    @derived(frozen=True, slots=True)
    class Two(One[int]):
        y: int = 9
        z: int = 3

    first: Any = One
    second: Any = Two
    one, two = first(1), second(1)
    assert (repr(two).split(".")[-1], two.name(), two.kind) == ("Two(x=1, y=9, z=3)", "one", "base")
    assert second.__slots__ == ("z",)
    assert one != second(1, 0) and two == second(1) != second(2) and hash(two) == hash((1, 9, 3))
    with pytest.raises(dataclasses.FrozenInstanceError):
        two.x = 1
    assert not isabstract(second)


def test_a_class_that_derives_from_values_and_is_none_has_attributes_of_its_own() -> None:
    """With the standard library's it has none before Python 3.12: `super` there means a class without slots."""

    class Loose(Kept):
        pass

    loose: Any = Loose(1)
    loose.other = 3
    assert (loose.other, loose) == (3, Loose(1))
    del loose.other
    with pytest.raises(dataclasses.FrozenInstanceError):
        loose.x = 3


def test_values_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, "a"))) == Kept(1, "a")


def test_a_method_is_compiled_once_and_whoever_holds_the_first_one_calls_it_as_well() -> None:
    @values.dataclass(frozen=True, slots=True)
    class Fresh:
        x: int

    fresh: Any = Fresh
    first = fresh.__init__
    fresh(1)
    compiled = fresh.__init__
    assert compiled is not first
    first(found := object.__new__(fresh), 4)
    assert found == fresh(4) and fresh.__init__.__code__.co_code == compiled.__code__.co_code


def test_whatever_is_no_plain_value_is_the_standard_librarys() -> None:
    @values.dataclass(slots=True)
    class Changing:
        x: int

    @values.dataclass(frozen=True, slots=True, order=True)
    class Ordered:
        x: int

    of: Any = Changing
    ordered: Any = Ordered
    changing = of(1)
    changing.x = 2
    assert changing == of(2) and ordered(1) < ordered(2)


def test_a_field_that_is_not_given_is_refused() -> None:
    with pytest.raises(TypeError, match="given all its fields"):

        @values.dataclass(frozen=True, slots=True)
        class Wrong:
            x: int = field(init=False)


def test_a_copy_with_other_contents_is_checked_as_a_new_one(maker: Any) -> None:
    one = point(maker)(1, 3, ["a"], cached=4)
    other = values.replace(one, x=5, tags=[])
    assert (other.x, other.y, other.tags, other.cached) == (5, 3, [], 4) and one.x == 1
    assert values.replace(one) == one and values.replace(one) is not one
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        values.replace(one, z=2)

    @maker(frozen=True, slots=True, kw_only=True)
    class Counted:
        x: int

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError("negative")

    @maker(frozen=True, slots=True, kw_only=True)
    class Named(Counted):
        name: str = ""

    @maker(frozen=True, slots=True)
    class Doubled:
        x: int

        def __init__(self, x: int) -> None:
            object.__setattr__(self, "x", 2 * x)

    named_type, doubled_type = cast(Any, Named), cast(Any, Doubled)
    named, doubled = named_type(x=1, name="a"), doubled_type(1)
    assert values.replace(named, x=2) == named_type(x=2, name="a")
    with pytest.raises(ValueError, match="negative"):
        values.replace(named, x=-1)
    assert values.replace(doubled) == doubled_type(2) and values.replace(doubled).x == 4, "by its own way to be made"


def test_a_class_that_derives_in_the_standard_librarys_way_is_copied_whole() -> None:
    @dataclasses.dataclass(frozen=True)
    class Derived(Kept):
        more: int = 0

    assert values.replace(Derived(1, "a", 2), x=3) == Derived(3, "a", 2)


def test_what_makes_and_changes_values_can_be_compiled_before_it_is_called() -> None:
    made = point(values.dataclass)
    module = ModuleType("some")
    vars(module).update(Point=made, other=1, int=int)
    values.compile_values(module)
    init, copied = vars(made)["__init__"], vars(made)["__replace__"]
    one = made(1, 3)
    assert (one.x, one.y, values.replace(one, x=2).x) == (1, 3, 2)
    assert (vars(made)["__init__"], vars(made)["__replace__"]) == (init, copied), "not once more"
