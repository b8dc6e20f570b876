/** Most looks between two tries, as a power of two: five minutes of one every five seconds. */
const MOST_DOUBLINGS = 6;

/** Decides which files of a watched folder are worked on at a look. */
export class WatchedFiles {
  /** The state of each file, such as its size and time, at the last look. */
  #seen: ReadonlyMap<string, string> = new Map();
  /** The state in which a file was worked on. */
  readonly #ended = new Map<string, string>();
  readonly #failed = new Map<string, { state: string; count: number; looks: number }>();

  /**
   * Returns the files that are whole, and neither done with nor waiting after a failure. A file
   * that still grows is not whole; at the only look it cannot be told.
   */
  due(states: ReadonlyMap<string, string>, isOnlyLook: boolean): string[] {
    const seen = this.#seen;
    this.#seen = states;
    const isWhole = ([path, state]: [string, string]) => isOnlyLook || seen.get(path) === state;
    return [...states]
      .filter((file) => isWhole(file) && this.#ended.get(file[0]) !== file[1] && !this.#isWaiting(...file))
      .map(([path]) => path);
  }

  /** Is done with a file until it changes. */
  end(path: string): void {
    this.#ended.set(path, this.#seen.get(path) ?? '');
  }

  /** Tries a file again, each time after twice as many looks. */
  tryLater(path: string): void {
    const state = this.#seen.get(path) ?? '';
    const before = this.#failed.get(path);
    const count = before?.state === state ? before.count + 1 : 1;
    this.#failed.set(path, { state, count, looks: 2 ** Math.min(count, MOST_DOUBLINGS) });
  }

  #isWaiting(path: string, state: string): boolean {
    const failed = this.#failed.get(path);
    if (failed?.state !== state) return false;
    failed.looks -= 1;
    return failed.looks > 0;
  }
}
