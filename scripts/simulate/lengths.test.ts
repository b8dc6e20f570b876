import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mean } from '@jyutsing/numeric/statistics';
import { temporaryFolder } from '#testbed/service/service.ts';
import { readLengths } from './lengths.ts';
import { createRandom } from '#packages/numeric/random.ts';

const draw = ({ next }: { next(): number }) => Array.from({ length: 20_000 }, next);

describe('lengths of recordings', () => {
  it('can be all alike', async () => {
    expect(new Set(draw(await readLengths('fixed', 60, createRandom(1))))).toEqual(new Set([60]));
  });

  it('can be exponential: as spread as they are long', async () => {
    const drawn = draw(await readLengths('exponential', 60, createRandom(1)));
    const deviation = Math.sqrt(mean(drawn.map((lengthS) => (lengthS - 60) ** 2)));
    expect(Math.abs(mean(drawn) / 60 - 1)).toBeLessThan(0.03);
    expect(Math.abs(deviation / 60 - 1)).toBeLessThan(0.03);
  });

  it.each(['[10, 10, 40]', '10\n10\n40\n'])('are drawn from the list %j as often as it has them', async (text) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'lengths');
    await writeFile(file, text);
    const lengths = await readLengths(file, 60, createRandom(1));
    expect(lengths.meanS).toBe(20);
    const drawn = draw(lengths);
    expect(new Set(drawn)).toEqual(new Set([10, 40]));
    expect(Math.abs(drawn.filter((lengthS) => lengthS === 40).length / drawn.length - 1 / 3)).toBeLessThan(0.02);
  });

  it.each(['[]', '[1, "two"]', '1\n-2'])('refuses the list %j', async (text) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'lengths');
    await writeFile(file, text);
    await expect(readLengths(file, 60, createRandom(1))).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});
