import type { SerializedError } from '@jyutsing/contracts/errors';

/**
 * Messages of the parent to a worker process. One task at a time; `taskId` tells late answers of an
 * old task from those of the current one.
 */
export type ParentMessage =
  /** The first message of a process. */
  | { type: 'settings'; settings: unknown }
  | { type: 'run'; taskId: number; kind: string; payload: unknown }
  /** The consumer took `count` further events. */
  | { type: 'acknowledge'; taskId: number; count: number }
  /** A message for the running task, or what it has demanded. */
  | { type: 'input'; taskId: number; input: unknown }
  | { type: 'abort'; taskId: number };

/**
 * Messages of a worker process to its parent. `trace` is for the log: an error's name and stack,
 * without its message.
 */
export type ChildMessage =
  | { type: 'ready' }
  | { type: 'alive'; rssBytes: number }
  | { type: 'event'; taskId: number; event: unknown }
  /** The task needs what its caller keeps back; the next `input` has it. */
  | { type: 'demand'; taskId: number }
  /** `last`: an event before the end; two messages would wake the parent twice. */
  | { type: 'end'; taskId: number; last?: unknown }
  | { type: 'error'; taskId: number; error: SerializedError; trace: string | null };

/**
 * Unacknowledged events after which a worker waits for the consumer; more would fill the parent's
 * memory.
 */
export const EVENT_WINDOW = 32;

/** Events that one acknowledgement covers: one message for each event would double the traffic. */
export const ACKNOWLEDGE_EVERY = 8;

/** How often a working process reports its memory. */
export const ALIVE_EVERY_MS = 500;
