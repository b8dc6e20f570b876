/** A bar of blocks for a fraction of 0 to 1. */
export function drawBar(fraction: number, columns = 24): string {
  const filled = Math.round(fraction * columns);
  return '█'.repeat(filled) + '░'.repeat(columns - filled);
}
