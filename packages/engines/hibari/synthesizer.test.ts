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
import { BINS, FRAME_SIZE, frameAt, type Spectra } from './spectra.ts';
import { engine } from './synthesizer.ts';
import packageSamples from './testing/package-samples.json' with { type: 'json' };

const MODELS = resolve(import.meta.dirname, '../../../models');
const STEP = 97;
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

/** The sound of spectra, with the noise of seed 1. */
function render(spectra: Spectra): number[] {
  const renderer = createSpeechRenderer(pulseTrain(spectra.pitchHz), 1);
  const sound: number[] = [];
  for (let at = 0; at < spectra.pitchHz.length; at += 1) sound.push(...renderer.push(frameAt(spectra, at)));
  for (const rest of renderer.end()) sound.push(...rest);
  return sound;
}

/** The spectra of `formula_spectra` in training/voices/english/compare_with_package.py. */
function formulaSpectra(): Spectra {
  const count = 48;
  const pitchHz = Float32Array.from({ length: count }, (_, at) => (at % 12 < 4 ? 0 : 150 + 40 * Math.sin(at / 5)));
  const frames = new Float32Array(count * FRAME_SIZE);
  for (let at = 0; at < count; at += 1) {
    const { tone, tonePhase, noise, free, freePhase } = frameAt({ frames }, at);
    for (let bin = 0; bin < BINS; bin += 1) {
      tone[bin] = 1.6 + Math.sin(0.05 * bin + 0.3 * at) - bin / 200;
      tonePhase[bin] = Math.cos(0.02 * bin + 0.1 * at);
      noise[bin] = -4 + Math.sin(0.03 * bin - 0.2 * at);
      free[bin] = -4 + Math.cos(0.04 * bin + 0.15 * at);
      freePhase[bin] = 3 * Math.sin(0.07 * bin + 0.5 * at);
    }
  }
  return { frames, pitchHz };
}

it('renders spectra to the samples of the Python package', () => {
  const sound = render(formulaSpectra());
  const differences = packageSamples.rendering.map((sample, index) => sample / 10_000 - sound[index * STEP]!);
  const level = rootMeanSquare(packageSamples.rendering) / 10_000;
  expect(level).toBeGreaterThan(0.03);
  // Powers and angles are approximated (fast-math.ts).
  expect(rootMeanSquare(differences) / level).toBeLessThan(0.03);
});

// The integer arithmetic of the graph saturates on processors without VNNI, so that letters may be
// a step of two frames longer or shorter than on the processor that made the samples.
it('predicts the lengths and the pitch of the Python package for 60 phoneme strings', async () => {
  const graph = await openGraph(resolve(MODELS, 'hibari/hibari.onnx'));
  const pitchDifferencesHz: number[] = [];
  let otherLengths = 0;
  for (const { letters, frames, pitchHz } of packageSamples.strings) {
    const { spectra } = await graph.predict(Array.from(letters), 1);
    expect(Math.abs(spectra.pitchHz.length - frames)).toBeLessThanOrEqual(4);
    if (spectra.pitchHz.length !== frames) otherLengths += 1;
    else {
      const voiced = pitchHz.flatMap((hertz, index) => {
        const predicted = spectra.pitchHz[index * 10]!;
        return hertz > 40 && predicted > 40 ? [hertz - predicted] : [];
      });
      pitchDifferencesHz.push(...voiced);
    }
  }
  await graph.close();
  expect(packageSamples.strings).toHaveLength(60);
  expect(otherLengths).toBeLessThanOrEqual(6);
  expect(pitchDifferencesHz.length).toBeGreaterThan(500);
  expect(rootMeanSquare(pitchDifferencesHz)).toBeLessThan(5);
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
