import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PronunciationAssessment, PronunciationAssessor } from '@jyutsing/contracts/pronunciation';
import type { Language } from '@jyutsing/contracts/transcript';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { resample, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { engine } from './pronunciation-assessor.ts';
import { onlyModel } from '#test/only-model.ts';

const SURROUNDINGS = {
  builtinModelsDir: join(import.meta.dirname, '../../../models'),
  modelsDir: '/nowhere',
  settings: {},
};
const { signal } = new AbortController();
const VOICES = { cantonese: 'yue-latn-jyutping', mandarin: 'cmn', english: 'en-us' } as const;

let assessor: PronunciationAssessor;

beforeAll(async () => {
  assessor = await engine.open(SURROUNDINGS, 'builtin');
});

afterAll(() => assessor.close());

/** Synthesizes Cantonese from jyutping or characters, the others from text. */
async function say(text: string, language: Language): Promise<Float32Array> {
  const spoken = language === 'cantonese' && !/[a-z]/.test(text) ? toJyutping(text) : text;
  const { sampleRateHz, channels } = await speak(spoken, { voice: VOICES[language] });
  return resample(channels[0]!, sampleRateHz, 16_000);
}

async function assess(
  spoken: string,
  text: string,
  language: Language = 'cantonese',
): Promise<PronunciationAssessment> {
  return assessor.assess(await say(spoken, language), await readTarget(text, language), signal);
}

async function assessSyllables(spoken: string, text: string, language: 'cantonese' | 'mandarin' = 'cantonese') {
  const assessment = await assess(spoken, text, language);
  if (assessment.language === 'english') throw new TypeError('an assessment of another language');
  return assessment;
}

describe('recordings by our own voices', () => {
  it.each([
    ['cantonese', '今日天氣好好，我想去公園。', 90],
    ['cantonese', '我哋聽日去邊度食飯好呢？', 90],
    ['cantonese', '早晨', 90],
    ['mandarin', '今天天气很好，我想去公园。', 85],
    ['mandarin', '一个苹果不错', 85],
    ['english', 'The weather is nice today.', 85],
  ] as const)('the right text passes: %s, %s', async (language, text, least) => {
    const { score, integrityScore, accuracyScore, fluencyScore } = await assess(text, text, language);
    expect(score).toBeGreaterThanOrEqual(least);
    expect(integrityScore).toBe(100);
    for (const value of [score, accuracyScore, fluencyScore]) expect(value).toBeLessThanOrEqual(100);
  });

  it.each([
    ['cantonese', '佢話聽日唔返學', '今日天氣好好，我想去公園。', 'keoi5 waa6 ting1 jat6'],
    ['mandarin', '他说明天不上学', '今天天气很好，我想去公园。', '明天'],
    ['english', 'my brother went to school', 'The weather is nice today.', 'school'],
  ] as const)(
    'another text scores below 40, and the spoken syllables are reported: %s',
    async (language, spoken, text, recognized) => {
      const assessment = await assess(spoken, text, language);
      expect(assessment.score).toBeLessThan(40);
      expect(assessment.heard).toContain(recognized);
    },
  );

  it.each([
    ['tone', 'nei5 hou1'],
    ['onset', 'nei5 gou2'],
    ['rime', 'nei5 haau2'],
  ] as const)('a wrong %s fails a word of two syllables', async (part, spoken) => {
    expect((await assessSyllables('nei5 hou2', '你好')).score).toBeGreaterThanOrEqual(90);
    const { score, syllables, heard: recognizedText } = await assessSyllables(spoken, '你好');
    expect(score).toBeLessThan(90);
    expect(syllables[0]!.verdict).toBe('right');
    expect(syllables[1]!.verdict).toBe('wrong');
    expect(syllables[1]![part].verdict).toBe('wrong');
    expect(recognizedText).not.toBe('nei5 hou2');
  });

  it('a lazy n- costs little and is reported as spoken', async () => {
    const { score, syllables, heard: recognizedText } = await assessSyllables('lei5 hou2', '你好');
    expect(score).toBeGreaterThanOrEqual(90);
    expect(syllables[0]!.onset).toMatchObject({ expected: 'n', heard: 'l', verdict: 'variant' });
    expect(recognizedText).toBe('lei5 hou2');
  });

  it('omitted, inserted and repeated units are located', async () => {
    const text = '今日天氣好好';
    const omitted = await assessSyllables('gam1 jat6 hei3 hou2 hou2', text);
    expect(omitted.syllables.map(({ verdict }) => verdict === 'omitted')).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
    ]);
    expect(omitted.integrityScore).toBeCloseTo((5 / 6) * 100);
    const inserted = await assessSyllables('gam1 jat6 fuk1 tin1 hei3 hou2 hou2', text);
    expect(inserted.heard.split(' ')).toHaveLength(7);
    expect(inserted.heard).toMatch(/^gam1 jat6 fuk\d tin1/);
    const repeated = await assessSyllables('gam1 jat6 gam1 jat6 tin1 hei3 hou2 hou2', text);
    expect(repeated.heard).toMatch(/^gam1 jat6 gam1 jat6 tin1/);
    const right = await assessSyllables('gam1 jat6 tin1 hei3 hou2 hou2', text);
    for (const { score } of [omitted, inserted, repeated]) expect(score).toBeLessThan(right.score - 2);
  });

  it('the sandhi of third tones and of 一 and 不 is how it should be', async () => {
    const { syllables } = await assessSyllables('你好吗，我很好', '你好吗，我很好', 'mandarin');
    expect(syllables.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
  });

  it.each([
    ['你好', 'nǐ hǎo'],
    ['你好', 'ni3 hao3'],
    ['你好', 'ní hǎo'],
    ['我想买水果', 'wǒ xiǎng mǎi shuǐguǒ'],
    ['我想买水果', 'wo3 xiang3 mai3 shui3 guo3'],
    ['不是', 'bù shì'],
    ['一天', 'yī tiān'],
    ['谢谢', 'xie4 xie4'],
    ['谢谢', 'xièxie'],
  ])('%s is right for the pinyin %s, and what was recognized is pinyin', async (spoken, text) => {
    const { score, heard: recognizedText } = await assessSyllables(spoken, text, 'mandarin');
    expect([text, score >= 80, score]).toEqual([text, true, expect.any(Number)]);
    expect(recognizedText).toMatch(/^[a-z]+[1-5](?: [a-z]+[1-5])*$/);
  });

  it.each([
    ['你好', 'nì hǎo', [0]],
    ['你好', 'ni2 hao4', [1]],
    ['不好', 'bú hǎo', [0]],
    // Before a fourth tone, the second tone of 想 is wrong, too.
    ['我想买水果', 'wǒ xiǎng mài shuǐguǒ', [1, 2]],
    ['谢谢', 'xiéxie', [0]],
  ])('%s has a wrong tone for the pinyin %s', async (spoken, text, places) => {
    const { syllables } = await assessSyllables(spoken, text, 'mandarin');
    const wrong = syllables.flatMap(({ tone }, at) => (tone.verdict === 'wrong' ? [at] : []));
    expect([text, wrong]).toEqual([text, places]);
  });

  it('tones of a real voice have contours around its register', async () => {
    const { syllables } = await assessSyllables('si1 si2', '詩史');
    const [high, rising] = syllables.map(({ tone }) => tone.contourSemitones);
    expect(high!.length).toBeGreaterThan(2);
    expect(rising!.at(-1)! - rising![0]!).toBeGreaterThan(high!.at(-1)! - high![0]!);
  });
});

describe('other recordings', () => {
  it('a minute is assessed in one go', { timeout: 60_000 }, async () => {
    const text = '我哋聽日去邊度食飯好呢。'.repeat(20);
    const sound = await say(text, 'cantonese');
    const minute = sound.subarray(0, 60 * 16_000);
    const target = await readTarget(text, 'cantonese');
    const { score, integrityScore } = await assessor.assess(minute, target, signal);
    expect(score).toBeGreaterThan(80);
    expect(integrityScore).toBeGreaterThan(90);
  });

  it.each([
    ['a tenth of a second', new Float32Array(1_600).map((_, i) => 0.2 * Math.sin(i / 9))],
    ['silence', new Float32Array(16_000)],
    ['a loud hum', new Float32Array(32_000).map((_, i) => Math.sin(i / 20))],
    // The service refuses such input before it reaches the engine.
    ['clipped noise', new Float32Array(32_000).map((_, i) => (Math.sin(i * i) > 0 ? 1 : -1))],
  ])('%s fails the pass mark without an error', async (_, samples) => {
    for (const language of ['cantonese', 'mandarin'] as const) {
      const { score } = await assessor.assess(samples, await readTarget('今日天氣好好', language), signal);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThan(60);
    }
  });

  it('several at once, in all languages, are the same as one after another', async () => {
    const calls = [
      ['今日天氣好好', '今日天氣好好', 'cantonese'],
      ['佢話聽日唔返學', '今日天氣好好', 'cantonese'],
      ['今天天气很好', '今天天气很好', 'mandarin'],
      ['The weather is nice.', 'The weather is nice.', 'english'],
    ] as const;
    const prepared = await Promise.all(
      calls.map(
        async ([spoken, text, language]) => [await say(spoken, language), await readTarget(text, language)] as const,
      ),
    );
    const single: PronunciationAssessment[] = [];
    for (const [samples, target] of prepared) single.push(await assessor.assess(samples, target, signal));
    const together = await Promise.all(prepared.map(([samples, target]) => assessor.assess(samples, target, signal)));
    expect(together).toEqual(single);
  });

  it('an aborted call throws its reason', async () => {
    const samples = new Float32Array(16_000);
    const target = await readTarget('今日', 'cantonese');
    const reason = new Error('the client hung up');
    await expect(assessor.assess(samples, target, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('engine', () => {
  it('is available exactly when its models are installed', async () => {
    expect(onlyModel(engine, SURROUNDINGS).availability).toEqual({ available: true });
    const bare = { ...SURROUNDINGS, builtinModelsDir: '/nowhere' };
    expect(onlyModel(engine, bare).availability.available).toBe(false);
    const opened = await engine.open(bare, 'builtin');
    const target = await readTarget('今日', 'cantonese');
    await expect(opened.assess(new Float32Array(16_000), target, signal)).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
    await opened.close();
  });

  it('after close it throws', async () => {
    const opened = await engine.open(SURROUNDINGS, 'builtin');
    await opened.close();
    await opened.close();
    const target = await readTarget('今日', 'cantonese');
    await expect(opened.assess(new Float32Array(16_000), target, signal)).rejects.toMatchObject({
      code: 'engine_failed',
    });
  });
});
