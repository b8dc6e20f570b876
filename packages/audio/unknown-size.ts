const UNKNOWN_FROM = 0x7fff_0000;

/**
 * Tells whether a chunk states no size in its 32 bits: programs that write to a pipe do not know it
 * and write 0 or a value near the highest.
 */
export function isUnknownSize(sizeBytes: number): boolean {
  return sizeBytes === 0 || sizeBytes >= UNKNOWN_FROM;
}
