/** Longest time for compiling ahead: at the lowest priority, it waits on a busy machine. */
export const COMPILE_WITHIN_MS = 10 * 60_000;
