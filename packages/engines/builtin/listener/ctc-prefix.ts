/**
 * Log-probabilities of all CTC paths of a beginning (prefix) of a transcript, after each frame: of
 * those that end in its last symbol, and of those that end in the blank (Watanabe et al., "Hybrid
 * CTC/Attention Architecture for End-to-End Speech Recognition", 2017, algorithm 2).
 */
export type CtcPrefix = {
  symbolPaths: Float64Array;
  blankPaths: Float64Array;
  /** Column of the last symbol; 0 before the first one. */
  lastColumn: number;
  /** Log-probability that the transcript begins so, whatever follows. */
  logp: number;
};

/** Posteriors of a CTC head, row-major, the blank in column 0; natural logarithms. */
export type CtcFrames = { logp: Float32Array; frameCount: number; width: number };

/** Returns the empty prefix. */
export function emptyPrefix({ logp, frameCount, width }: CtcFrames): CtcPrefix {
  const blankPaths = new Float64Array(frameCount);
  let sum = 0;
  for (let frame = 0; frame < frameCount; frame++) {
    sum += logp[frame * width] ?? 0;
    blankPaths[frame] = sum;
  }
  return { symbolPaths: new Float64Array(frameCount).fill(-Infinity), blankPaths, lastColumn: 0, logp: 0 };
}

/** Returns the prefix with one more symbol. */
export function extendPrefix(prefix: CtcPrefix, column: number, { logp, frameCount, width }: CtcFrames): CtcPrefix {
  const symbolPaths = new Float64Array(frameCount);
  const blankPaths = new Float64Array(frameCount);
  let [symbol, blank, total] = [-Infinity, -Infinity, -Infinity];
  for (let frame = 0; frame < frameCount; frame++) {
    // Before the first frame there is nothing but the empty transcript.
    const before = frame === 0 ? (prefix.lastColumn === 0 ? 0 : -Infinity) : entering(prefix, column, frame - 1);
    const emitted = logp[frame * width + column] ?? -Infinity;
    blank = addLogs(symbol, blank) + (logp[frame * width] ?? -Infinity);
    symbol = addLogs(symbol, before) + emitted;
    total = addLogs(total, before + emitted);
    symbolPaths[frame] = symbol;
    blankPaths[frame] = blank;
  }
  return { symbolPaths, blankPaths, lastColumn: column, logp: total };
}

/** Returns the log-probability that the transcript is this prefix and ends there. */
export function completeLogp({ symbolPaths, blankPaths, logp }: CtcPrefix): number {
  const last = symbolPaths.length - 1;
  return last < 0 ? logp : addLogs(symbolPaths[last] ?? -Infinity, blankPaths[last] ?? -Infinity);
}

/** Paths that a new symbol may follow: the same symbol only after a blank. */
function entering({ symbolPaths, blankPaths, lastColumn }: CtcPrefix, column: number, frame: number): number {
  const blank = blankPaths[frame] ?? -Infinity;
  return column === lastColumn ? blank : addLogs(blank, symbolPaths[frame] ?? -Infinity);
}

function addLogs(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}
