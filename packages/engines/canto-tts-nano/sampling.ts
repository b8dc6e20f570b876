/** How a number is drawn from scores. */
export type Draw = { temperature: number; topK: number; topP: number };

/**
 * Draws an index from unnormalized log-probabilities: divided by the temperature, the best `topK`
 * kept, of these the most likely ones until their sum passes `topP`. Numbers are rounded to 32 bits
 * where the publisher's runtime rounds them, so that the same random numbers draw the same index.
 * `random` is called once, and gives numbers in [0, 1).
 */
export function drawIndex(values: Float32Array, { temperature, topK, topP }: Draw, random: () => number): number {
  const scores = values.map((value) => value / Math.fround(temperature));
  if (topK > 0 && topK < scores.length) {
    const least = scores.toSorted().at(-topK)!;
    for (const [index, score] of scores.entries()) if (score < least) scores[index] = -Infinity;
  }
  if (topP > 0 && topP < 1) keepNucleus(scores, topP);
  let left = random();
  for (const [index, probability] of softmax(scores).entries()) {
    left -= probability;
    if (left <= 0) return index;
  }
  return scores.indexOf(Math.max(...scores));
}

/** Drops what comes after the best scores whose probabilities add up to more than `topP`. */
function keepNucleus(scores: Float32Array, topP: number): void {
  const order = [...scores.keys()].toSorted((a, b) => scores[b]! - scores[a]! || a - b);
  const probabilities = softmax(Float32Array.from(order, (index) => scores[index]!));
  let sum = 0;
  let isOver = false;
  for (const [rank, index] of order.entries()) {
    if (isOver) scores[index] = -Infinity;
    sum += probabilities[rank]!;
    isOver ||= sum > topP;
  }
}

function softmax(scores: Float32Array): Float64Array {
  const best = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  const exponentials = Float64Array.from(scores, (score) => Math.exp(Math.fround(score - best)));
  const sum = exponentials.reduce((total, value) => total + value, 0);
  return exponentials.map((value) => value / sum);
}

/**
 * Makes codes that were drawn before less likely (Keskar et al. 2019, the penalty of CTRL); 1 is
 * none.
 */
export function penalize(scores: Float32Array, drawn: ReadonlySet<number>, penalty: number): void {
  if (penalty === 1) return;
  for (const code of drawn) {
    const score = scores[code];
    if (score !== undefined) scores[code] = score < 0 ? score * penalty : score / penalty;
  }
}
