import type { SerializedError } from '@jyutsing/contracts/errors';

/** What the parent says to a worker process. One task at a time; `taskId` tells late answers of an old task from those of the present one. */
export type ParentMessage =
  | { type: 'run'; taskId: number; kind: string; payload: unknown }
  /** That many further events were taken by the consumer. */
  | { type: 'acknowledge'; taskId: number; count: number }
  | { type: 'abort'; taskId: number };

/** What a worker process says to its parent. `trace` is for the log only: an error's name and stack lines, without its message. */
export type ChildMessage =
  | { type: 'ready' }
  | { type: 'alive'; rssBytes: number }
  | { type: 'event'; taskId: number; event: unknown }
  | { type: 'end'; taskId: number }
  | { type: 'error'; taskId: number; error: SerializedError; trace: string | null };

/** Events that a worker may have on the way before it waits for the consumer; more would pile up in the parent's memory. */
export const EVENT_WINDOW = 32;

/** The consumer's progress is told in steps of this many events: a message for each would double the traffic. */
export const ACKNOWLEDGE_EVERY = 8;

/** How often a worker reports its memory while it works. */
export const ALIVE_EVERY_MS = 500;
