import { describe, expect, it } from 'vitest';
import { createVoiceLinker } from './link-voices.ts';

/** Makes a voice at an angle: two are one person up to 60° (a cosine of 0.5). */
const at = (degrees: number, length = 1) =>
  Float32Array.of(length * Math.cos((degrees * Math.PI) / 180), length * Math.sin((degrees * Math.PI) / 180));

/** Returns the speaker numbers of blocks, each with voices at some angles. */
function link(blocks: readonly (readonly number[])[], maxSpeakers?: number): number[][] {
  const linker = createVoiceLinker(maxSpeakers);
  return blocks.map((block) => linker.link(block.map((degrees) => at(degrees))));
}

describe('the speakers of blocks', () => {
  it('are new in the first block, each with a number', () => {
    expect(link([[0, 90, 180]])).toEqual([[0, 1, 2]]);
    expect(link([[]])).toEqual([[]]);
  });

  it.each([
    [
      'in another order',
      [
        [0, 90],
        [90, 0],
      ],
      [
        [0, 1],
        [1, 0],
      ],
    ],
    ['without one of them', [[0, 90], [90]], [[0, 1], [1]]],
    [
      'with a new one',
      [
        [0, 90],
        [200, 90],
      ],
      [
        [0, 1],
        [2, 1],
      ],
    ],
    ['after a block without speech', [[0, 90], [], [90]], [[0, 1], [], [1]]],
  ])('are known again %s', (_name, blocks, expected) => {
    expect(link(blocks)).toEqual(expected);
  });

  it.each([
    [59, 0],
    [61, 1],
  ])('at %i° from a known one are number %i', (degrees, number) => {
    expect(link([[0], [degrees]])).toEqual([[0], [number]]);
  });

  it('are two even where both sound like one known speaker: the more similar is the known one', () => {
    expect(link([[0], [40, 10]])).toEqual([[0], [1, 0]]);
  });

  it('are matched so that the most similar pairs come first', () => {
    // The voice at 45° is as near to 0° as to 90°, but 80° is nearer to 90°.
    expect(
      link([
        [0, 90],
        [46, 80],
      ]),
    ).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('are known by the mean of all they said', () => {
    // After 0° and 50° the mean is 25°: 80° is within 60° of it, though not of the beginning.
    expect(link([[0], [50], [80]])).toEqual([[0], [0], [0]]);
    expect(link([[0], [80]])).toEqual([[0], [1]]);
  });

  it('do not depend on how loud their embeddings are', () => {
    const linker = createVoiceLinker();
    linker.link([at(0, 100)]);
    expect(linker.link([at(50, 0.01)])).toEqual([0]);
    expect(linker.link([at(80, 5)])).toEqual([0]);
  });
});

describe('more voices than speakers', () => {
  it('are those of the most similar speakers', () => {
    expect(
      link(
        [
          [0, 90],
          [250, 100],
        ],
        2,
      ),
    ).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(
      link(
        [
          [0, 90],
          [170, 100],
        ],
        2,
      ),
    ).toEqual([
      [0, 1],
      [1, 1],
    ]);
    expect(link([[0, 120, 240]], 2)).toEqual([[0, 1, 1]]);
    expect(link([[0], [180]], 1)).toEqual([[0], [0]]);
  });
});

it('an embedding of nothing is a voice like no other', () => {
  const linker = createVoiceLinker();
  expect(linker.link([at(0)])).toEqual([0]);
  expect(linker.link([new Float32Array(2)])).toEqual([1]);
  expect(linker.link([at(0)])).toEqual([0]);
});
