/** A server that computes longer at a stretch answers nobody meanwhile. */
const LONGEST_STRETCH_MS = 20;

let isCounting = false;
let sinceMs = 0;
const waiting: (() => void)[] = [];

/**
 * For work that computes for long, to be awaited often, which costs next to nothing in between: undefined to go on, or a promise to wait for
 * when this process has not looked at its connections and timers for 20 ms. That is counted for all who compute, not for each: two
 * hundred of them with 20 ms each would leave the others four seconds without an answer. Who waited longest goes on first, one
 * in each turn of the event loop.
 */
export function yieldToEventLoop(): Promise<void> | undefined {
  if (!isCounting) {
    startCounting();
    return undefined;
  }
  if (performance.now() - sinceMs < LONGEST_STRETCH_MS) return undefined;
  return new Promise((resolve) => void waiting.push(resolve));
}

/** An immediate that is set while immediates run is one of the next turn, after connections and timers. */
function startCounting(): void {
  isCounting = true;
  sinceMs = performance.now();
  setImmediate(() => {
    isCounting = false;
    const next = waiting.shift();
    if (next === undefined) return;
    startCounting();
    next();
  });
}
