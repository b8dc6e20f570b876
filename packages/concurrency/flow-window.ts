/**
 * Limits how far writers are ahead of a reader, which may live in another process and report what
 * it has taken.
 */
export type FlowWindow = {
  /** Counts an amount that was written. */
  add(size: number): void;
  /** Counts an amount that the reader has taken. */
  take(size: number): void;
  /** Resolves once at most `maxAhead` is written and not taken, or the window is open. */
  waitForRoom(maxAhead?: number): Promise<void>;
  /** Lets all writers go on from now on, because the reader is gone. */
  open(): void;
};

type WaitingWriter = { maxAhead: number; resume: () => void };

/** `capacity` has the unit of the sizes and is the default of `maxAhead`. */
export function createFlowWindow(capacity: number): FlowWindow {
  let waiting: WaitingWriter[] = [];
  let ahead = 0;
  let isOpen = false;

  const mayWrite = (maxAhead: number) => isOpen || ahead <= maxAhead;
  const wake = () => {
    const woken = waiting.filter(({ maxAhead }) => mayWrite(maxAhead));
    if (woken.length === 0) return;
    waiting = waiting.filter(({ maxAhead }) => !mayWrite(maxAhead));
    for (const { resume } of woken) resume();
  };
  return {
    add(size) {
      ahead += size;
    },
    take(size) {
      ahead -= size;
      wake();
    },
    async waitForRoom(maxAhead = capacity) {
      // Another writer may fill the room between the wake-up and this check.
      while (!mayWrite(maxAhead)) await new Promise<void>((resume) => void waiting.push({ maxAhead, resume }));
    },
    open() {
      isOpen = true;
      wake();
    },
  };
}
