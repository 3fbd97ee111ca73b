"""List 256 words that are easy to tell apart when spoken, one for each byte. Never change it: people compare these words."""

from __future__ import annotations

_LIST = """
able acid acorn actor adobe agent album alley alpha amber anchor angle ankle apple apron arctic arena arrow
atlas attic bacon badge bagel baker bamboo banjo barrel basil beach beard beaver berry bishop bison blanket
board bonus border bottle brave bread brick bridge broom brush bubble bucket buffalo bundle butter cabin cactus
camel candle canoe canyon carbon carpet castle cedar cello cement chalk cherry chess cider cinema circus citron
clay cliff clock clover cobra cocoa coffee comet copper coral cotton cousin cowboy crab crane crater cricket
crown crystal dairy daisy dance delta denim desert dinner dolphin donkey dream drum eagle earth echo elbow elder
engine falcon family feather fence ferry fiddle finger flame flute forest fossil fountain galaxy garden garlic
gecko ghost giant ginger glacier glove goblin gold grape gravel guitar hammer harbor harvest helmet heron hockey
honey horse hotel husky iceberg igloo indigo iris island ivory jacket jaguar jelly jewel jungle juniper kayak
kettle kitten koala ladder lagoon lantern lemon lilac linen lion lizard lobster locket lotus magnet mango maple
marble meadow melon mirror monkey moose mosaic muffin museum nectar needle nickel noodle nutmeg oasis ocean
olive onion opera orange orchid otter oyster paddle panda paper parrot pasta pearl pebble pepper piano pickle
pigeon pillow pilot planet plum pocket polar pony potato prairie pumpkin puzzle quartz rabbit radar radish raven
ribbon river robin rocket saddle salmon sandal satin saturn scarf shadow silver sparrow spider spoon squirrel
statue stone sunset swan tango teapot temple thunder tiger timber tomato torch tower trumpet tulip turtle valley
velvet violin
"""
WORDS: tuple[str, ...] = tuple(_LIST.split())
assert len(set(WORDS)) == 256


def words_of(data: bytes, count: int) -> tuple[str, ...]:
    """Return the words for the first `count` bytes."""
    return tuple(WORDS[byte] for byte in data[:count])
