import { median } from '@jyutsing/numeric/statistics';

const BLOCK_LENGTH = 5_000;
const MOST_BLOCKS = 8;
const ROUNDS = 4;
const REPETITIONS = 8;

/**
 * The processor time of the second function by that of the first, for texts joined to blocks of
 * 5,000 characters, of which there is at least one: the median over the blocks, each measured by
 * the least of eight times in turns, so that no collection of garbage counts.
 */
export function relativeCost(
  texts: readonly string[],
  before: (text: string) => void,
  after: (text: string) => void,
): number {
  const blocks = blocksOf(texts);
  const ratios = Array.from({ length: ROUNDS }, () =>
    blocks.map((block) => {
      const costs = Array.from({ length: REPETITIONS }, () => [costOf(before, block), costOf(after, block)] as const);
      return Math.min(...costs.map(([, cost]) => cost)) / Math.min(...costs.map(([cost]) => cost));
    }),
  );
  // The first round compiles the code.
  return median(ratios.slice(1).flat());
}

function blocksOf(texts: readonly string[]): string[] {
  const all = texts.join('\n');
  const step = Math.max(BLOCK_LENGTH, Math.floor(all.length / MOST_BLOCKS));
  const blocks: string[] = [];
  for (let at = 0; at < all.length && blocks.length < MOST_BLOCKS; at += step) {
    blocks.push(all.slice(at, at + BLOCK_LENGTH));
  }
  return blocks;
}

/** Processor time of this thread, in microseconds. */
function costOf(say: (text: string) => void, text: string): number {
  const start = process.threadCpuUsage();
  say(text);
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}
