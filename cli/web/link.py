"""One page that shows the program, whatever carries its messages: a socket today."""

from __future__ import annotations

from typing import Any, Protocol


class PageLink(Protocol):
    """Takes messages for the page: objects that JSON can hold. What cannot be delivered is lost: the page is told all anew when
    it comes back."""

    def tell(self, message: dict[str, Any]) -> None: ...
