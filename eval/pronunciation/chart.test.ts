import { expect, it } from 'vitest';
import { drawPicture, grouped, histogram } from './chart.ts';

it('every score falls into a bin, including 0 and 100', () => {
  const counts = histogram([0, 1, 99, 100, 100, 50]);
  expect(counts).toHaveLength(40);
  expect([counts[0], counts[20], counts.at(-1)]).toEqual([2, 1, 3]);
});

it('a picture is deterministic, names its contents and escapes markup in text', () => {
  const picture = {
    title: 'Tones & <rimes>',
    subtitle: 'scores',
    mark: 90,
    groups: [{ heading: 'all', rows: [{ label: 'own', note: 'n', tone: 'right' as const, scores: [95, 20, 91, 3] }] }],
    scatter: { heading: 'raters', points: [{ human: 8.2, machine: 77.123 }] },
  };
  const svg = drawPicture(picture);
  expect(drawPicture(picture)).toBe(svg);
  expect(svg).toContain('Tones &amp; &lt;rimes&gt;');
  expect(svg).toContain('50.0 % pass');
  expect(svg).toContain('passes at 90');
  expect(svg.match(/<circle/g)).toHaveLength(1);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

it('no scores draw an empty row', () => {
  const row = { label: 'none', note: '', tone: 'wrong' as const, scores: [] };
  const svg = drawPicture({ title: '', subtitle: '', mark: 70, groups: [{ heading: '', rows: [row] }], scatter: null });
  expect(svg).toContain('– pass');
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

it('thousands are separated by commas', () => {
  expect([7, 1_200, 54_321, 1_234_567].map(grouped)).toEqual(['7', '1,200', '54,321', '1,234,567']);
});
