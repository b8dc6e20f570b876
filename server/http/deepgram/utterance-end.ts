/** Tells when an utterance is over: no speech for `gapMs` of sound after its last word. */
export type UtteranceEnd = {
  /** A stretch of speech ended; `nextStartMs`: speech that began meanwhile. */
  speechEnded(lastWordEndMs: number, nextStartMs: number | null): void;
  speechStarted(startMs: number): void;
  /** So much sound has been heard. */
  heard(ms: number): void;
  /** Nothing follows. */
  finish(): void;
};

/** `onEnd` is called with the end of the last word. */
export function watchUtteranceEnd(gapMs: number, onEnd: (lastWordEndMs: number) => void): UtteranceEnd {
  let lastWordEndMs: number | null = null;
  const heard = (ms: number) => {
    if (lastWordEndMs === null || ms - lastWordEndMs < gapMs) return;
    onEnd(lastWordEndMs);
    lastWordEndMs = null;
  };
  const speechStarted = (startMs: number) => {
    heard(startMs);
    lastWordEndMs = null;
  };
  return {
    speechEnded(endMs, nextStartMs) {
      lastWordEndMs = endMs;
      if (nextStartMs !== null) speechStarted(nextStartMs);
    },
    speechStarted,
    heard,
    finish: () => heard(Infinity),
  };
}
