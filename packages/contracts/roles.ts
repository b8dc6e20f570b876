/**
 * The roles of a process. `speak` and `score` answer requests for speech and for scores, `api` all
 * others; `transcribe` and `deliver` run jobs of the queue.
 */
export const ROLES = ['api', 'transcribe', 'speak', 'score', 'deliver', 'housekeeping'] as const;
export type Role = (typeof ROLES)[number];
