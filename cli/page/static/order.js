// The order in which somebody holds their cards: plain numbers, tried out by tests without a browser.

// `dealt`: the cards' ids as the program sorts them; `own`: the order chosen here before. New cards stand where the program puts them.
export function ordered(dealt, own) {
  const kept = own.filter((id) => dealt.includes(id));
  dealt.forEach((id, at) => {
    if (!kept.includes(id)) kept.splice(at ? kept.indexOf(dealt[at - 1]) + 1 : 0, 0, id);
  });
  return kept;
}

// One card taken out and put in at another place.
export function moved(ids, id, at) {
  const others = ids.filter((each) => each !== id);
  others.splice(at, 0, id);
  return others;
}

// Whether the program has sorted anew what stayed.
export function isSorted(before, now) {
  const stayed = before.filter((id) => now.includes(id));
  return now.filter((id) => before.includes(id)).some((id, at) => id !== stayed[at]);
}
