/** A text, and where its sound lies in that of the session. */
type Part<Turn> = { turn: Turn; text: string; startMs: number; endMs: number };

export type Playback<Turn> = {
  /** How much sound the session has; what was never played is taken off. */
  totalMs(): number;
  /** The last time at which the client stopped. */
  stoppedMs(): number;
  /** A text begins to sound. */
  begin(turn: Turn, text: string): void;
  /** More sound of the text that began last. */
  add(ms: number): void;
  /**
   * The client stopped at this time, and drops what came after it. Returns the turn that it heard
   * last, and what was heard of that turn and what was not.
   */
  stopAt(ms: number): { turn: Turn | undefined; spoken: string; remaining: string };
};

/** Texts that are remembered; a client does not play minutes behind. */
const MAX_PARTS = 500;

/** Remembers which text sounds when, for clients that say how far they played. */
export function createPlayback<Turn>(): Playback<Turn> {
  let parts: Part<Turn>[] = [];
  let totalMs = 0;
  let stoppedMs = 0;
  return {
    totalMs: () => totalMs,
    stoppedMs: () => stoppedMs,
    begin(turn, text) {
      parts.push({ turn, text, startMs: totalMs, endMs: totalMs });
      if (parts.length > MAX_PARTS) parts.shift();
    },
    add(ms) {
      totalMs += ms;
      const part = parts.at(-1);
      if (part !== undefined) part.endMs = totalMs;
    },
    stopAt(ms) {
      const turn = parts.findLast(({ startMs }) => startMs < ms)?.turn;
      let spoken = '';
      let remaining = '';
      for (const part of parts.filter((one) => one.turn === turn)) {
        const characters = [...part.text];
        // Within a text the characters sound one as long as the other.
        const count = Math.round(characters.length * shareBefore(ms, part));
        spoken += characters.slice(0, count).join('');
        remaining += characters.slice(count).join('');
      }
      parts = [];
      totalMs = ms;
      stoppedMs = ms;
      return { turn, spoken, remaining };
    },
  };
}

function shareBefore(ms: number, { startMs, endMs }: Pick<Part<unknown>, 'startMs' | 'endMs'>): number {
  return endMs === startMs ? 0 : Math.max(0, Math.min(1, (ms - startMs) / (endMs - startMs)));
}
