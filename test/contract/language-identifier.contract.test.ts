import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { LanguageIdentifier } from '@jyutsing/contracts/language-identifier';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { noise, silence, type Sound } from '#testbed/sound/audio.ts';
import { joinSounds, resample, speak } from '#testbed/sound/espeak-speech.ts';

const projectDir = resolve(import.meta.dirname, '../..');
const env = { builtinModelsDir: join(projectDir, 'models'), modelsDir: '/nowhere', settings: {} };
const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
const models = registry.selectAll('language-identifier');

/** Each sentence is spoken twice with different voices. */
const SPOKEN: Readonly<Record<Language, { voice: string; text: string }>> = {
  cantonese: {
    voice: 'yue-latn-jyutping',
    text: 'gam1 jat6 tin1 hei3 hou2 hou2 , ngo5 dei6 heoi3 gung1 jyun2 haang4 haa5',
  },
  mandarin: { voice: 'cmn-latn-pinyin', text: 'jin1 tian1 tian1 qi4 hen3 hao3 , wo3 men5 qu4 gong1 yuan2 zou3 zou5' },
  english: { voice: 'en-us', text: 'The weather is nice today, and we are going for a walk in the park.' },
};

async function spoken(language: Language): Promise<Float32Array> {
  const { voice, text } = SPOKEN[language];
  return samplesOf(joinSounds([await speak(text, { voice }), await speak(text, { voice, pitch: 70, rate: 130 })], 400));
}

function samplesOf({ sampleRateHz, channels }: Sound): Float32Array {
  return resample(channels[0] ?? new Float32Array(0), sampleRateHz, RECOGNIZER_SAMPLE_RATE_HZ);
}

/** Chunks like those of a decoder; `pulledSeconds` counts the consumed audio. */
function stream(samples: Float32Array, failAtEnd?: unknown) {
  const counted = { pulledSeconds: 0, audio: chunks() };
  async function* chunks(): AsyncGenerator<PcmChunk> {
    for (let at = 0; at < samples.length; at += 8_000) {
      await new Promise((resolve) => setImmediate(resolve));
      const piece = samples.slice(at, at + 8_000);
      counted.pulledSeconds += piece.length / RECOGNIZER_SAMPLE_RATE_HZ;
      yield { samples: piece, sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, startMs: at / 16 };
    }
    if (failAtEnd !== undefined) throw failAtEnd;
  }
  return counted;
}

const never = new AbortController().signal;

describe.each(models)('$engine keeps the contract of a language identifier', (model) => {
  let identifier: LanguageIdentifier;
  beforeAll(async () => {
    identifier = await registry.open(model);
  });
  afterAll(() => identifier.close());

  it.each(LANGUAGES)('identifies %s', async (language) => {
    const found = await identifier.identify(stream(await spoken(language)).audio, LANGUAGES, never);
    expect(found?.language).toBe(language);
    expect(found?.confidence).toBeGreaterThan(0.5);
    expect(found?.confidence).toBeLessThanOrEqual(1);
  });

  it('chooses only from the requested languages', async () => {
    const among = ['cantonese', 'mandarin'] as const;
    const found = await identifier.identify(stream(await spoken('english')).audio, among, never);
    expect(among).toContain(found?.language);
    expect(await identifier.identify(stream(await spoken('english')).audio, ['mandarin'], never)).toEqual({
      language: 'mandarin',
      confidence: 1,
    });
  });

  it.each([
    ['silence', samplesOf(silence(5_000))],
    ['hiss', samplesOf(noise(5_000, 0.05))],
    ['nothing', new Float32Array(0)],
  ])('%s has no language', async (_, samples) => {
    expect(await identifier.identify(stream(samples).audio, LANGUAGES, never)).toBeNull();
  });

  it('reads only the beginning of a long recording', async () => {
    const speech = await spoken('cantonese');
    const long = new Float32Array(speech.length * 20);
    for (let at = 0; at < long.length; at += speech.length) long.set(speech, at);
    const source = stream(long);
    await identifier.identify(source.audio, LANGUAGES, never);
    expect(source.pulledSeconds).toBeLessThan(40);
  });

  it('an abort rejects with its reason, and an error of the audio source is passed on', async () => {
    const abort = new AbortController();
    const reason = { because: 'the client left' };
    const work = identifier.identify(stream(new Float32Array(16_000 * 3_600)).audio, LANGUAGES, abort.signal);
    const ended = work.then(
      () => 'it was not aborted',
      (thrown: unknown) => thrown,
    );
    await sleep(5);
    abort.abort(reason);
    expect(await ended).toBe(reason);
    const error = { because: 'the file is damaged' };
    const failing = identifier.identify(stream(new Float32Array(16_000), error).audio, LANGUAGES, never);
    await expect(failing).rejects.toBe(error);
  });

  it('concurrent recordings are independent', async () => {
    const [one, other] = [await spoken('mandarin'), await spoken('english')];
    const found = await Promise.all(
      [one, other].map((samples) => identifier.identify(stream(samples).audio, LANGUAGES, never)),
    );
    expect(found.map((decision) => decision?.language)).toEqual(['mandarin', 'english']);
  });
});
