import { expect, it } from 'vitest';
import { closePauses } from './close-pauses.ts';

const turn = (speaker: string, startMs: number, endMs: number) => ({ speaker, startMs, endMs });

it('turns of one speaker with a short pause are one, also while another speaks', () => {
  const turns = [turn('a', 0, 1_000), turn('b', 500, 1_600), turn('a', 1_800, 2_000), turn('b', 2_500, 3_000)];
  expect(closePauses(turns, 800)).toEqual([turn('a', 0, 2_000), turn('b', 500, 1_600), turn('b', 2_500, 3_000)]);
});

it('a turn inside an earlier one of the speaker does not shorten it', () => {
  expect(closePauses([turn('a', 0, 2_000), turn('a', 500, 900), turn('a', 2_100, 2_500)], 200)).toEqual([
    turn('a', 0, 2_500),
  ]);
});

it('the given turns are left as they are', () => {
  const turns = [turn('a', 0, 1_000), turn('a', 1_100, 2_000)];
  closePauses(turns, 800);
  expect(turns[0]).toEqual(turn('a', 0, 1_000));
});
