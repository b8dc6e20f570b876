import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from './videos.ts';

/** Holds answers back until a test has seen what it wants to see. */
export type Gate = {
  /** Answers at this place (all places where none is said) wait until `release`. */
  hold(place?: Place): void;
  /** Lets all go that wait, and holds no more. */
  release(): void;
  /** Every answer takes so long; 0: none does. */
  waits(ms: number): void;
  /** How many answers are held now. */
  held(): number;
  /** Until so many answers are held at once. */
  untilHeld(count: number): Promise<void>;
  /** Waits as a request has to. */
  pass(place: Place): Promise<void>;
};

export function createGate(): Gate {
  const waiting = new Set<() => void>();
  const watchers = new Set<() => void>();
  const heldPlaces = new Set<Place | 'all'>();
  let waitMs = 0;
  return {
    hold: (place) => void heldPlaces.add(place ?? 'all'),
    release() {
      heldPlaces.clear();
      for (const go of waiting) go();
      waiting.clear();
    },
    waits: (ms) => void (waitMs = ms),
    held: () => waiting.size,
    async untilHeld(count) {
      while (waiting.size < count) await new Promise<void>((resolve) => watchers.add(resolve));
    },
    async pass(place) {
      if (waitMs > 0) await sleep(waitMs);
      if (!heldPlaces.has('all') && !heldPlaces.has(place)) return;
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        for (const tell of watchers) tell();
        watchers.clear();
      });
    },
  };
}
