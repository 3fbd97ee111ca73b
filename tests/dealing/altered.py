"""Proofs, altered in every way of a list."""

from __future__ import annotations

from protocol.dealing.group import IDENTITY, G, Scalar, decode_point, q


def alterations(data: bytes, layout: str) -> list[tuple[str, bytes]]:
    """The bytes of a proof, altered in every way of a list; `layout` has p for a point and s for a scalar, 32 bytes each.

    Every field in turn: another value, zero or the identity, a form that is not canonical; another field of its kind in its
    place; a byte more, a byte less, a field less, nothing.
    """
    assert len(data) == 32 * len(layout)
    altered = []
    words = [data[at : at + 32] for at in range(0, len(data), 32)]

    def put(name: str, index: int, word: bytes) -> None:
        altered.append((f"{name} {index}", b"".join([*words[:index], word, *words[index + 1 :]])))

    for index, (kind, word) in enumerate(zip(layout, words, strict=True)):
        if kind == "p":
            put("another point", index, (decode_point(word) + G).encode())
            put("the opposite point", index, (IDENTITY - decode_point(word)).encode())
            put("the highest bit", index, word[:31] + bytes([word[31] | 0x80]))
            put("not a point", index, b"\xff" * 31 + b"\x7f")
        else:
            value = int.from_bytes(word, "little")
            put("another scalar", index, Scalar(value + 1).encode())
            put("the opposite scalar", index, Scalar(-value).encode())
            put("a scalar not reduced", index, (value + q).to_bytes(32, "little"))
        put("zero", index, bytes(32))
        other = layout.find(kind, index + 1)
        if other >= 0 and words[other] != word:
            swapped = list(words)
            swapped[index], swapped[other] = swapped[other], swapped[index]
            altered.append((f"exchanged {index} {other}", b"".join(swapped)))
    for name, other_data in (
        ("a byte more", data + b"\0"),
        ("a byte less", data[:-1]),
        ("a field more", data + words[-1]),
        ("a field less", data[:-32]),
        ("nothing", b""),
    ):
        altered.append((name, other_data))
    return altered
