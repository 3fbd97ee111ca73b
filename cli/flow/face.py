"""What a face is to the flow: it shows one model at a time, and says what is wanted there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from cli.flow.showing import Showing
from cli.view.effects import Effect
from cli.view.settings import Settings

Carry = Callable[[Effect], Awaitable[None]]


class ClientFace(Protocol):
    """A terminal, a page in a browser."""

    carry_out: Carry | None
    """Is asked to do what models want and no face does by itself."""
    takes_fault: Callable[[BaseException], bool] | None
    """Is asked first when a fault would end the program; returns whether it leaves only what is shown."""

    @property
    def settings(self) -> Settings: ...

    @property
    def presenter(self) -> Showing | None:
        """What is shown."""

    def screen_of(self, model: Any) -> Showing:
        """A model as this face shows it, not yet shown."""

    def show(self, presenter: Any) -> None:
        """This one is shown from now on."""

    def redraw(self) -> None:
        """Something may look different now."""

    def after(self) -> None:
        """Carry out what the presenter wants now, and draw."""

    def fail(self, fault: BaseException) -> None:
        """End the program with this fault, or only what is shown."""

    def exit(self) -> None:
        """End the program."""

    async def run(self, session: Callable[[], Awaitable[Any]]) -> None:
        """Show what the session wants shown, until it ends."""
