"""Games: pure rules over public state, and a trusted dealer to try them with. The names listed here are stable.

from protocol.games import load, LocalTable

game = load("crazy-eights", seats=4, options={"target": 50})
table = LocalTable(game, random.Random(7))
while not table.over:
    seat = table.to_act[0]
    table.play(seat, table.legal(seat)[0])
print(table.scores)
"""

from protocol.errors import BadMessage, BadOption, IllegalMove
from protocol.games.catalogue import game_names, game_problems, load
from protocol.games.game import Game
from protocol.games.local import LocalTable

__all__ = ["BadMessage", "BadOption", "Game", "IllegalMove", "LocalTable", "game_names", "game_problems", "load"]
