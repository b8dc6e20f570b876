import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERDICTS, type PronunciationAssessment, type PronunciationAssessor } from '@jyutsing/contracts/pronunciation';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { noise, silence } from '#testbed/sound/audio.ts';
import { resample, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

const env = {
  builtinModelsDir: resolve(import.meta.dirname, '../../models'),
  modelsDir: '/nowhere',
  settings: {},
};
const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
const models = registry.selectAll('pronunciation-assessor');

/** The spoken text, and another one of about the same length. */
const TEXTS: Readonly<Record<Language, readonly [string, string]>> = {
  cantonese: ['今日天氣好好，我哋去公園行下。', '佢琴晚買咗三本新書返屋企睇。'],
  mandarin: ['今天天气很好，我们去公园走走。', '他昨天晚上买了三本新书回家。'],
  english: [
    'The weather is lovely today, we are going to the park.',
    'Seven brown horses slept behind his wooden church.',
  ],
};
const VOICES: Readonly<Record<Language, string>> = { cantonese: 'yue', mandarin: 'cmn', english: 'en-us' };
const never = new AbortController().signal;

async function spoken(language: Language): Promise<Float32Array> {
  const [text] = TEXTS[language];
  const { channels, sampleRateHz } = await (language === 'cantonese'
    ? speak(toJyutping(text))
    : speak(text, { voice: VOICES[language] }));
  return new Float32Array(resample(channels[0] ?? new Float32Array(0), sampleRateHz, RECOGNIZER_SAMPLE_RATE_HZ));
}

function unitsOf(assessment: PronunciationAssessment) {
  return assessment.language === 'english' ? assessment.words : assessment.syllables;
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

it('the built-in assessor is always available', () => {
  expect(models.map(({ engine }) => engine)).toContain('builtin');
});

describe.each(models)('$engine keeps the contract of an assessor', (model) => {
  let assessor: PronunciationAssessor;
  beforeAll(async () => {
    assessor = await registry.open(model);
  });
  afterAll(() => assessor.close());

  it('has a version, and a reason when its models are missing', () => {
    expect(model.version).toMatch(/^[\w.-]{1,64}$/);
    const nowhere = { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings: {} };
    const engine = registry.engines('pronunciation-assessor').find(({ name }) => name === model.engine)!;
    expect(engine.models(nowhere).map(({ availability }) => availability)).toMatchObject([
      { available: false, reason: expect.stringMatching(/\w/) },
    ]);
  });

  describe.each(LANGUAGES)('in %s', (language) => {
    const [right, wrong] = TEXTS[language];
    let samples = new Float32Array(0);
    beforeAll(async () => {
      samples = new Float32Array(await spoken(language));
    });
    const assess = async (text: string, sound = samples) =>
      assessor.assess(sound, await readTarget(text, language), never);

    it('every unit of the text has a verdict and a time within the recording, in order', async () => {
      const target = await readTarget(right, language);
      const assessment = await assessor.assess(samples, target, never);
      const units = unitsOf(assessment);
      expect(assessment.language).toBe(language);
      expect(units.map(({ text }) => text)).toEqual(
        target.units.filter(({ kind }) => kind !== 'other').map(({ text }) => text),
      );
      const lengthMs = samples.length / 16;
      const placed = units.filter(({ startMs }) => startMs !== null);
      expect(placed.length).toBeGreaterThan(units.length / 2);
      for (const { startMs, endMs } of placed) {
        expect(startMs).toBeGreaterThanOrEqual(0);
        expect(endMs).toBeGreaterThan(startMs!);
        expect(endMs).toBeLessThanOrEqual(lengthMs + 60);
      }
      const starts = placed.map(({ startMs }) => startMs!);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      for (const { verdict } of units) expect(VERDICTS).toContain(verdict);
    });

    it('the spoken text scores higher than another, and the recognized text does not repeat the target', async () => {
      const [good, bad] = [await assess(right), await assess(wrong)];
      expect(good.score).toBeGreaterThan(bad.score + 30);
      const { heard: heardWord } = await assess(wrong);
      expect(heardWord).not.toBe('');
      // It may equal the recognized text for the right target.
      const { units } = await readTarget(wrong, language);
      const echo = units.map((unit) =>
        unit.kind === 'syllable' && language === 'cantonese' ? unit.readings[0] : unit.text,
      );
      expect(heardWord).not.toBe(echo.join(language === 'mandarin' ? '' : ' '));
    });

    it('repeated and concurrent requests give equal results', async () => {
      const first = await assess(right);
      const [second, other, third] = await Promise.all([assess(right), assess(wrong), assess(right)]);
      expect(second).toEqual(first);
      expect(third).toEqual(first);
      expect(other).not.toEqual(first);
    });

    it.each([
      ['silence', silence(2_000).channels[0]!],
      ['noise', noise(2_000, 0.05).channels[0]!],
      ['a tenth of a second', new Float32Array(1_600).fill(0.1)],
    ])('%s gives low scores, all within 0 to 100', async (_, sound) => {
      const assessment = await assess(right, new Float32Array(sound));
      const { score, accuracyScore, fluencyScore, integrityScore } = assessment;
      const units = unitsOf(assessment).map((unit) => unit.score);
      for (const scored of [score, accuracyScore, fluencyScore, integrityScore, ...units]) {
        expect(scored).toBeGreaterThanOrEqual(0);
        expect(scored).toBeLessThanOrEqual(100);
      }
      expect(score).toBeLessThan(40);
      for (const number of numbersIn(assessment)) expect(Number.isFinite(number)).toBe(true);
    });

    it('omitted units have no time and no score', async () => {
      const assessment = await assess(right, new Float32Array(RECOGNIZER_SAMPLE_RATE_HZ));
      for (const unit of unitsOf(assessment).filter(({ verdict }) => verdict === 'omitted')) {
        expect(unit).toMatchObject({ startMs: null, endMs: null, score: 0 });
      }
      expect(assessment.integrityScore).toBeLessThan(50);
    });

    it('an abort rejects with its reason', async () => {
      const reason = { because: 'the client left' };
      const target = await readTarget(right, language);
      await expect(assessor.assess(samples, target, AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });
});
