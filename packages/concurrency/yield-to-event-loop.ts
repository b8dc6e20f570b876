/** Limit of a stretch of computation: a longer one would delay all other requests. */
const LONGEST_STRETCH_MS = 20;

let isCounting = false;
let sinceMs = 0;
const waiting: (() => void)[] = [];

/**
 * Await often in long computations. Returns undefined, at next to no cost, or a promise if this
 * process has not served its connections and timers for 20 ms. All computations share these 20 ms:
 * with 20 ms each, two hundred of them would block the process for four seconds. The computation
 * that has waited longest continues first, one in each turn of the event loop.
 */
export function yieldToEventLoop(): Promise<void> | undefined {
  if (!isCounting) {
    startCounting();
    return undefined;
  }
  if (performance.now() - sinceMs < LONGEST_STRETCH_MS) return undefined;
  return new Promise((resolve) => void waiting.push(resolve));
}

/** An immediate set during immediates runs in the next turn, after connections and timers. */
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
