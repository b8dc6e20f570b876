import { readFile } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';
import { exponential } from './random.ts';

/** Lengths of recordings: all alike, exponentially distributed, or drawn from a list in a file. */
export async function readLengths(
  kind: string,
  meanS: number,
  random: () => number,
): Promise<{ meanS: number; next(): number }> {
  if (kind === 'fixed') return { meanS, next: () => meanS };
  if (kind === 'exponential') return { meanS, next: () => exponential(meanS, random) };
  const listed = parseList(await readFile(kind, 'utf8'));
  const sum = listed.reduce((total, lengthS) => total + lengthS, 0);
  return { meanS: sum / listed.length, next: () => listed[Math.floor(random() * listed.length)]! };
}

/** Numbers of a JSON list, or one on each line. */
function parseList(text: string): number[] {
  const listed: unknown = text.trimStart().startsWith('[') ? JSON.parse(text) : text.trim().split(/\s+/).map(Number);
  if (
    !Array.isArray(listed) ||
    listed.length === 0 ||
    !listed.every((lengthS) => Number.isFinite(lengthS) && lengthS >= 0)
  ) {
    throw new AppError(
      'invalid_parameter',
      'The file of lengths must hold seconds, as a JSON list or one on each line.',
    );
  }
  return listed as number[];
}
