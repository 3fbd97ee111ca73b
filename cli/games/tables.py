"""Which face each game has at the table."""

from __future__ import annotations

from cli.games.base.table import TableFace
from cli.games.base.viewpoint import Viewpoint
from cli.games.macau_wars.table import MacauFace
from cli.games.shedding.table import SheddingFace
from cli.games.tichu.table import TichuFace
from protocol.games.eights import Eights
from protocol.games.macau_wars import MacauWars
from protocol.games.tichu import Tichu

FACES: tuple[tuple[type, type[TableFace]], ...] = ((Tichu, TichuFace), (MacauWars, MacauFace), (Eights, SheddingFace))


def table_face(at: Viewpoint) -> TableFace:
    """The face of this table's game; of a game that nobody has drawn, the one that knows none."""
    return next((face for kind, face in FACES if isinstance(at.game, kind)), TableFace)(at)
