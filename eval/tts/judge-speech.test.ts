import { expect, test } from 'vitest';
import { rootMeanSquare } from '@jyutsing/numeric/statistics';
import { CONDITIONS } from './conditions.ts';
import { JUDGED_RATE_HZ } from './human-likeness.ts';
import { judgeGroups } from './judge-speech.ts';
import type { LikenessJudge } from './likeness-judges.ts';
import { likenessReport } from './tts-report.ts';

const clipOf = (level: number) =>
  Float32Array.from({ length: JUDGED_RATE_HZ / 2 }, (_, i) => level * Math.sin(i / 9) * (i < 2_000 ? 1 : 0.02));

/** Takes what has much sound in its second half for a person, so that it is fooled by rooms. */
const fooled: LikenessJudge = {
  name: 'fooled',
  score: (clip) =>
    Promise.resolve(rootMeanSquare(clip.slice(2_000)) > 0.1 * rootMeanSquare(clip.slice(0, 2_000)) ? 1 : 0),
  close: () => Promise.resolve(),
};
const constant: LikenessJudge = { name: 'constant', score: () => Promise.resolve(0.7), close: () => Promise.resolve() };

const groups = [
  { what: 'one', clips: [0.1, 0.5, 0.9].map((level) => ({ samples: clipOf(level), speaker: null })) },
  { what: 'other', clips: [{ samples: clipOf(0.3), speaker: 'a' }] },
];

test('every judge scores every group under every control', async () => {
  const rows = await judgeGroups(groups, [fooled, constant]);
  expect(rows).toHaveLength(2 * 2 * CONDITIONS.length);
  for (const row of rows.filter(({ judge }) => judge === 'constant')) expect(row.likeness.rate).toBeCloseTo(0.7);
});

test('a judge that is fooled by a room shows in its row', async () => {
  const rows = await judgeGroups(groups.slice(0, 1), [fooled]);
  const at = (condition: string) => rows.find((row) => row.condition === condition)!;
  expect(at('clean').accepted).toBe(0);
  expect(at('in a room').accepted).toBeGreaterThan(0.5);
});

test('the report has a table for each judge, with intervals', async () => {
  const report = likenessReport(await judgeGroups(groups, [fooled, constant]), 'text');
  expect(report).toMatch(/judge: fooled +clips +clean +in a room/);
  expect(report).toMatch(/judge: constant/);
  expect(report).toContain('0.70 (0.70–0.70)');
});
