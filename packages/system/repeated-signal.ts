/**
 * A terminal and systemd send a signal to every process of a group, and a launcher passes it on:
 * signals that follow this closely are one.
 */
const SAME_SIGNAL_MS = 1_000;

/** A listener that calls `first` once, and `again` for a signal that is not part of the first. */
export function onRepeatedSignal<Reason>(
  first: (reason: Reason) => void,
  again: (reason: Reason) => void,
): (reason: Reason) => void {
  let firstAtMs: number | null = null;
  return (reason) => {
    const nowMs = performance.now();
    if (firstAtMs === null) {
      firstAtMs = nowMs;
      first(reason);
    } else if (nowMs - firstAtMs > SAME_SIGNAL_MS) again(reason);
  };
}
