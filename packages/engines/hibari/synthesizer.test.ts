import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rootMeanSquare } from '@jyutsing/numeric/statistics';
import type { SpokenPhrase } from '@jyutsing/contracts/spoken-text';
import { normalize } from '@jyutsing/text/normalization/normalize';
import { loadAddReadings } from '@jyutsing/text/normalization/add-readings';
import { splitText } from '#packages/text/normalization/split-text.ts';
import { trackPitch } from '#packages/audio/voice/track-pitch.ts';
import { requestOf, soundOf, speakAll, voiceOf } from '#test/synthesis-requests.ts';
import { readLexicon } from './lexicon.ts';
import { openGraph } from './open-graph.ts';
import { planRuns } from './plan-runs.ts';
import { pulseTrain } from './pulse-train.ts';
import { createSpeechRenderer } from './render-speech.ts';
import { createSpeller } from './spell-word.ts';
import { frameAt } from './spectra.ts';
import { engine } from './synthesizer.ts';
import packageSamples from './testing/package-samples.json' with { type: 'json' };

const MODELS = resolve(import.meta.dirname, '../../../models');
const STEP = 997;
const env = { builtinModelsDir: MODELS, modelsDir: MODELS, settings: {} };
const synthesizer = await engine.open(env, 'hibari-heart');
afterAll(() => synthesizer.close());
const spell = createSpeller(await readLexicon(resolve(MODELS, 'hibari/lexicon.tsv')));
const addReadings = await loadAddReadings();

const piecesOf = (text: string) =>
  splitText(text, 'english').flatMap((piece) => {
    const normalized = normalize(piece, 'english');
    return normalized === null ? [] : [addReadings(normalized)];
  });
const lettersOf = (text: string) =>
  Array.from(planRuns(piecesOf(text), spell), (run) => run.letters.join('')).join('|');
const speak = (text: string, changes: Parameters<typeof requestOf>[1] = {}) =>
  speakAll(synthesizer, requestOf(piecesOf(text), { language: 'english', ...changes }));

it('makes the sound of the Python package of 60 phoneme strings', async () => {
  const graph = await openGraph(resolve(MODELS, 'hibari/hibari.onnx'));
  const differences: number[] = [];
  for (const { letters, length, samples } of packageSamples) {
    const { spectra } = await graph.predict(Array.from(letters), 1);
    const renderer = createSpeechRenderer(pulseTrain(spectra.pitchHz), 1);
    const sound: number[] = [];
    for (let at = 0; at < spectra.pitchHz.length; at += 1) sound.push(...renderer.push(frameAt(spectra, at)));
    for (const rest of renderer.end()) sound.push(...rest);
    expect(sound).toHaveLength(length);
    differences.push(...samples.map((sample, index) => sample / 10_000 - sound[index * STEP]!));
  }
  await graph.close();
  expect(packageSamples).toHaveLength(60);
  expect(rootMeanSquare(differences)).toBeLessThan(1e-3);
});

describe('the spelling of words', () => {
  it.each([
    ['The weather is lovely.', 'ðə wˈɛðəɹ ɪz lˈʌvli.'],
    ['The apple, a pear and an egg.', 'ði ˈæpᵊl, ɐ pˈɛɹ ænd ɐn ˈɛɡ.'],
    ['I used to go to Oxford.', 'ˌI jˈust tə ɡˌO tʊ ˈɑksfəɹd.'],
    ['Come in!', 'kˈʌm ˈɪn!'],
    ['I read it yesterday.', 'ˌI ɹˈɛd ɪt jˈɛstəɹdˌA.'],
    ['He takes the MTR.', 'hi tˈAks ði ˌɛmtˌiˈɑɹ.'],
    ['See you in Tsim Sha Tsui?', 'sˈi ju ɪn ʧˈɪm ʃˈɑ ʧˈY?'],
    ['Twenty-four vlogs', 'twˈɛnti fˈɔɹ vlˈɑɡz'],
  ])('%s', (text, letters) => {
    expect(lettersOf(text).replace(/\.$/, '')).toBe(letters.replace(/\.$/, ''));
  });

  it('is found for every word, whatever its letters', () => {
    const text = 'Xyzzy blorptastic naïve Łódź Ångström brrr tbh mp3 rock’n’roll O’Brien COVID-19 iPhone15 Ng';
    for (const word of piecesOf(text).flatMap(({ phrases }) => phrases.flatMap(({ words }) => words)))
      expect([word.spokenForm, spell(word, null, false)]).not.toEqual([word.spokenForm, '']);
  });
});

it('refuses a word that it has no sound for instead of leaving it out', async () => {
  const phrase: SpokenPhrase = {
    words: [{ written: '你好', spokenForm: '你好', language: 'cantonese', reading: ['nei5', 'hou2'] }],
    ending: 'statement',
  };
  const pieces = [{ phrases: [phrase], spokenForm: '你好', endsSentence: true }];
  await expect(speakAll(synthesizer, requestOf(pieces, { language: 'english' }))).rejects.toThrow(
    /no sound for "你好"/,
  );
});

it('divides what is longer than the graph was trained on', () => {
  const runs = lettersOf(`${'never '.repeat(200)}ends.`).split('|');
  expect(runs.length).toBeGreaterThan(3);
  expect(Math.max(...runs.map((run) => run.length))).toBeLessThanOrEqual(201);
});

it('is the same for a seed, and varies with it', async () => {
  const [one, again, other] = await Promise.all(
    [1, 1, 2].map(async (seed) => soundOf(await speak('Good morning, everybody.', { seed, temperature: 1 }))),
  );
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

it.each([98, 226])('speaks at the pitch of a voice of %d Hz', async (pitchMedianHz) => {
  const voice = voiceOf();
  const like = { ...voice, profile: { ...voice.profile, pitchMedianHz } };
  const sound = soundOf(await speak('We were away all year, and now we are home.', { voice: like, temperature: 0 }));
  const voiced = trackPitch(sound, 24_000, { minHz: 60, maxHz: 500 })
    .pitchHz.filter((hz) => hz > 0)
    .toSorted();
  const semitones = 12 * Math.log2(voiced[voiced.length >> 1]! / pitchMedianHz);
  expect(Math.abs(semitones)).toBeLessThan(3);
});

it('times every word where it sounds', async () => {
  const events = await speak('First this, then that, and at last the whole long sentence.');
  const words = events.flatMap((event) => (event.type === 'word' ? [event.word] : []));
  expect(words.map(({ text }) => text).join(' ')).toBe('First this then that and at last the whole long sentence');
  const sound = soundOf(events);
  for (const { text, startMs, endMs } of words) {
    const level = rootMeanSquare(Array.from(sound.subarray(startMs * 24, endMs * 24)));
    expect([text, level > 0.01]).toEqual([text, true]);
  }
});

it('says which model file is missing or damaged', async () => {
  const other = { ...env, builtinModelsDir: '/nowhere' };
  expect(engine.models(other)[0]?.availability).toEqual({
    available: false,
    reason: 'its model files are not installed',
  });
  await expect(engine.open(other, 'hibari-heart')).rejects.toThrow('The lexicon of the English voice cannot be read.');
});
