import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from './videos.ts';

/** Holds answers back until a test has seen what it wants to see. */
export type Gate = {
  /** Holds answers at this place, or at all places without one, until `release`. */
  hold(place?: Place): void;
  /** Releases all held responses and holds no more. */
  release(): void;
  /** Delays every response; 0 ends the delay. */
  waits(ms: number): void;
  /** Number of held responses. */
  held(): number;
  /** Waits until this many responses are held at once. */
  untilHeld(count: number): Promise<void>;
  /** Waits like a request of this kind. */
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
      for (const proceed of waiting) proceed();
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
        for (const notify of watchers) notify();
        watchers.clear();
      });
    },
  };
}
