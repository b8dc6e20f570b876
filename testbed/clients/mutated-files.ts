/** Pseudo-random numbers in 0..1, fixed for each seed so that a failure can be reproduced. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Flips bytes, swaps pieces, truncates, and writes extreme numbers where sizes and offsets are. */
export function mutate(bytes: Buffer, random: () => number): Buffer {
  const at = (length: number) => Math.floor(random() * length);
  let copy = Buffer.from(bytes);
  const changes = 1 + at(12);
  for (let change = 0; change < changes; change += 1) {
    // Half of the changes go to the headers, which matter most.
    const place = random() < 0.5 ? at(Math.min(512, copy.length)) : at(copy.length);
    const kind = at(5);
    if (kind === 0) copy[place] = at(256);
    else if (kind === 1)
      copy.writeUInt32BE([0, 1, 0x7fffffff, 0xffffffff][at(4)] ?? 0, Math.min(place, copy.length - 4));
    else if (kind === 2) copy.copy(copy, place, at(copy.length), at(copy.length));
    else if (kind === 3) copy.fill(at(256), place, Math.min(copy.length, place + at(200)));
    else if (copy.length > 2_000) copy = copy.subarray(0, copy.length - at(copy.length >> 2));
  }
  return copy;
}
