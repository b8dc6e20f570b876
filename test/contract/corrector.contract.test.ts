import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CorrectionSegment, Corrector } from '@jyutsing/contracts/corrector';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { checkCorrection } from '#server/features/transcription/fusion/check-correction.ts';
import { loadShippedCorpora } from '@jyutsing/text/corpora/load-shipped-corpora';
import { termsOf } from '@jyutsing/text/corpora/terms';

const projectDir = resolve(import.meta.dirname, '../..');
const env = { builtinModelsDir: join(projectDir, 'models'), modelsDir: '/nowhere', settings: {} };
const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
const models = registry.selectAll('corrector');
const corpora = termsOf(loadShippedCorpora(join(projectDir, 'corpora')).flatMap(({ entries }) => entries));
const never = new AbortController().signal;

/** A segment without word times, with syllables of 200 ms from `startMs` on. */
function segment(text: string, jyutping: string, startMs = 0): CorrectionSegment {
  const syllables = jyutping.split(' ').flatMap((reading, index) =>
    reading === ''
      ? []
      : [
          {
            startMs: startMs + index * 200,
            endMs: startMs + (index + 1) * 200,
            alternatives: [{ reading, probability: 0.9 }],
          },
        ],
  );
  const endMs = startMs + Math.max(1, syllables.length) * 200;
  return { segment: { text, startMs, endMs, words: [], speaker: null, confidence: null }, syllables };
}

const SEGMENTS = [
  segment('我聽日去深水步', 'ngo5 ting1 jat6 heoi3 sam1 seoi2 bou2'),
  segment('', '', 2_000),
  segment('OK, thank you!', 'ou1 kei1 sing1 kiu4', 3_000),
  segment('佢喺筲機灣等我。', 'keoi5 hai2 saau1 gei1 waan1 dang2 ngo5', 5_000),
];

const request = (index: number) => ({ segments: [SEGMENTS[index]!], terms: corpora, context: null });

describe.each(models)('$engine keeps the contract of a corrector', (model) => {
  let corrector: Corrector;
  beforeAll(async () => {
    corrector = await registry.open(model);
  });
  afterAll(() => corrector.close());

  it('has a name and a version', () => {
    expect(model.model).toMatch(/^[a-z0-9][a-z0-9.-]*$/);
    expect(model.version).not.toBe('');
  });

  it('proposes one text for each segment, in order', async () => {
    const texts = await corrector.correct({ segments: SEGMENTS, terms: corpora, context: null }, never);
    expect(texts).toHaveLength(SEGMENTS.length);
    expect(texts[1]).toBe('');
    expect(texts[2]).toContain('thank you');
    const checked = SEGMENTS.map(
      (segment, index) => checkCorrection(segment, texts[index] ?? '', corpora).segment.text,
    );
    expect(checked).toEqual(['我聽日去深水埗', '', 'OK, thank you!', '佢喺筲箕灣等我。']);
  });

  it('proposes a text for each segment without terms and context', async () => {
    const texts = await corrector.correct({ segments: SEGMENTS, terms: [], context: null }, never);
    expect(texts).toHaveLength(SEGMENTS.length);
    for (const text of texts) expect(typeof text).toBe('string');
  });

  it('no segments give no texts', async () => {
    expect(await corrector.correct({ segments: [], terms: corpora, context: null }, never)).toEqual([]);
  });

  it('does not modify the request', async () => {
    const input = { segments: SEGMENTS, terms: corpora.slice(0, 100), context: '深水埗' };
    const before = structuredClone(input);
    await corrector.correct(input, never);
    expect(input).toEqual(before);
  });

  it('concurrent requests are independent', async () => {
    const alone = [await corrector.correct(request(0), never), await corrector.correct(request(3), never)];
    expect(await Promise.all([corrector.correct(request(0), never), corrector.correct(request(3), never)])).toEqual(
      alone,
    );
  });

  it('an abort rejects with its reason', async () => {
    const abort = new AbortController();
    const reason = { because: 'the client left' };
    const many = Array.from({ length: 500 }, () => SEGMENTS[0]!);
    const work = corrector.correct({ segments: many, terms: corpora, context: null }, abort.signal).then(
      () => 'it went on to the end',
      (thrown: unknown) => thrown,
    );
    abort.abort(reason);
    expect(await work).toBe(reason);
  });

  it('close can be called twice', async () => {
    const other = await registry.open(model);
    await other.close();
    await expect(other.close()).resolves.toBeUndefined();
  });
});
