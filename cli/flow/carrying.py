"""What every drawn face does after an input: it carries out what the presenter wants, and a fault of ours ends the program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Generic, ParamSpec, Protocol, TypeVar

from cli.flow.face import Carry
from cli.flow.showing import Showing
from cli.view.effects import Effect

TICK_S = 0.5


class Failing(Protocol):
    """Ends the program with a fault."""

    def fail(self, fault: BaseException) -> None: ...


Shown = TypeVar("Shown", bound=Showing)
One = TypeVar("One", bound=Failing)
With = ParamSpec("With")


def ends_at_fault(method: Callable[Concatenate[One, With], None]) -> Callable[Concatenate[One, With], None]:
    """A fault in what the event loop calls ends the program: the loop would pass over it, and leave a dead table."""

    @wraps(method)
    def careful(self: One, /, *args: With.args, **fields: With.kwargs) -> None:
        try:
            method(self, *args, **fields)
        except Exception as fault:  # a bug in an input, an effect or a view: `run` raises it
            self.fail(fault)

    return careful


class CarryingFace(Generic[Shown]):
    """`carry_out` is asked to do what this face does not do by itself."""

    def __init__(self, carry_out: Carry | None = None) -> None:
        self.carry_out = carry_out
        self.presenter: Shown | None = None
        """What is shown."""
        self.takes_fault: Callable[[BaseException], bool] | None = None
        self.fault: BaseException | None = None
        """What ended the program; `run` raises it."""
        self._tasks: set[asyncio.Task[None]] = set()

    # --- what each face has its own way for ---

    def does(self, effect: Effect) -> bool:
        """Do what this face does by itself; return whether this effect is of that kind."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Something may look different now."""
        raise NotImplementedError

    def exit(self) -> None:
        """End the program."""
        raise NotImplementedError

    # --- what they share ---

    @ends_at_fault
    def after(self) -> None:
        """Carry out what the presenter wants now, and draw."""
        presenter = self.presenter
        while presenter is not None and presenter.effects:
            effect = presenter.effects.popleft()
            if not self.does(effect) and self.carry_out is not None:
                task = asyncio.get_running_loop().create_task(self._carried(self.carry_out, effect))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        self.redraw()

    async def _carried(self, carry_out: Carry, effect: Effect) -> None:
        try:
            await carry_out(effect)
        except Exception as fault:  # a bug in an effect: `run` raises it
            self.fail(fault)
        self.after()

    async def ticks(self) -> None:
        """Clocks, and what happens by itself."""
        while True:
            await asyncio.sleep(TICK_S)
            self._tick()

    @ends_at_fault
    def _tick(self) -> None:
        if self.presenter is not None and self.presenter.tick():
            self.after()

    def fail(self, fault: BaseException) -> None:
        """End the program with this fault, or only what is shown."""
        if self.takes_fault is not None and self.takes_fault(fault):
            return
        self.fault = self.fault or fault
        self.exit()
