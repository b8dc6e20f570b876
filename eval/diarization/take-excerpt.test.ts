import { expect, it } from 'vitest';
import { takeExcerpt } from './take-excerpt.ts';

it('an excerpt has the first sound, and the turns in it up to its end', () => {
  const turns = [
    { speaker: 'a', startMs: 0, endMs: 800 },
    { speaker: 'b', startMs: 700, endMs: 1_500 },
    { speaker: 'c', startMs: 1_000, endMs: 2_000 },
  ];
  const excerpt = takeExcerpt({ name: 'talk', samples: new Float32Array(32_000), turns }, 1_000);
  expect(excerpt.samples).toHaveLength(16_000);
  expect(excerpt.turns).toEqual([turns[0], { speaker: 'b', startMs: 700, endMs: 1_000 }]);
});

it('a shorter recording stays as it is', () => {
  const recording = { name: 'talk', samples: new Float32Array(160), turns: [{ speaker: 'a', startMs: 0, endMs: 10 }] };
  expect(takeExcerpt(recording, 30_000)).toEqual(recording);
});
