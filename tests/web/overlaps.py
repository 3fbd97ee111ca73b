"""What nobody can read: words of a page that lie over other words."""

from __future__ import annotations

from cli.bench.chrome import Tab

DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
STILL = "document.getAnimations().every((each) => each.effect.getTiming().iterations === Infinity)"
OVERLAPS = r"""(() => {
  const lines = [];
  const walk = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility({ opacityProperty: true })) continue;
    if (parent.closest(".unseen, .hand, .log, svg")) continue;
    let [left, right, top, bottom] = [0, innerWidth, 0, innerHeight];
    for (let each = parent; each; each = each.parentElement) {
      if (getComputedStyle(each).overflowX === "visible") continue;
      const box = each.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const shown = [Math.max(box.left, left), Math.min(box.right, right), Math.max(box.top, top), Math.min(box.bottom, bottom)];
      lines.push([node, ...shown]);
    }
  }
  const shared = (low, high, other, another) => Math.min(high, another) - Math.max(low, other);
  const isOver = ([one, ...first], [other, ...second]) =>
    one !== other && shared(first[0], first[1], second[0], second[1]) > 3 && shared(first[2], first[3], second[2], second[3]) > 5;
  return lines.flatMap((one, at) =>
    lines.slice(at + 1).filter((other) => isOver(one, other)).map((other) => `${one[0].data} / ${other[0].data}`));
})()"""


def overlaps(tab: Tab) -> list[str]:
    """Each two pieces of text of which one lies over the other, once all lies still."""
    tab.js(DRAWN)
    tab.wait(STILL)
    found: list[str] = tab.js(OVERLAPS)
    return found
