import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { amplify } from '@jyutsing/audio/encoding/sample-values';
import type { PhraseEnding, SpokenPhrase } from '@jyutsing/contracts/spoken-text';
import type { SynthesisEvent, SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { createProsodySampler, hashText } from '#engines/runtime/prosody-sampling.ts';
import { timePhrase } from './durations.ts';
import { createEnvelopes } from './envelope.ts';
import type { Finish } from './finish.ts';
import type { SyllableVoice } from './open-voice.ts';
import { addSyllable, GRAIN_SIZE, LEAD, type SoundingSyllable } from './overlap-add.ts';
import { planContour } from './phrase-contour.ts';
import { planSyllables, type Pronounce } from './plan-syllables.ts';
import { createEnvelopeShaper, createFrameMarks, soundAhead } from './shape-envelopes.ts';
import { MS } from './unit.ts';
import { settingsFor } from './voice-settings.ts';

/**
 * Milliseconds of silence after a phrase, at a speed of 1; the end of its last period takes the
 * beginning of them.
 */
const PAUSES_MS: Readonly<Record<PhraseEnding, number>> = {
  none: 0,
  comma: 180,
  statement: 350,
  question: 350,
  exclamation: 350,
  ellipsis: 500,
};
/**
 * Milliseconds of silence before the first phrase: players cut off an immediate start. With the
 * `LEAD` of the phrase it is 25 ms.
 */
const LEAD_IN_MS = 15;
/** Length of the silence for a request without speakable text, in milliseconds. */
const NOTHING_MS = 100;
/**
 * Largest number of samples by which the last period of a phrase exceeds its syllable: without this
 * half period phrases would end with a click.
 */
const TRAIL = 15 * MS;
/**
 * Samples of the fade at the end of a phrase: shaping envelopes spreads sound beyond the last
 * period.
 */
const FADE = 2 * MS;
/** Longest block of audio, in samples. */
const BLOCK = 160 * MS;
/**
 * Least prosodic variation, also at temperature 0; there it depends on the text alone, so a text
 * always sounds the same.
 */
const LEAST_SPREAD = 0.6;

type Engine = { voice: SyllableVoice; finish: Finish | null; pronounce: Pronounce };
type Settings = ReturnType<typeof settingsFor> & { speed: number };

/**
 * Synthesizes the pieces of a request from recorded syllables, as a stream: each syllable is
 * rendered when it is pulled. An aborted signal throws its reason.
 */
export async function* speak(
  engine: Engine,
  { pieces, voice, speed, pitchSemitones, temperature, topP, seed: requestSeed }: SynthesisRequest,
  signal: AbortSignal,
): AsyncGenerator<SynthesisEvent> {
  signal.throwIfAborted();
  const settings = settingsFor(voice.profile, pitchSemitones, engine.voice.sounds);
  let sampleCount = 0;
  for (const piece of pieces) {
    const seed = hashText(piece.spokenForm, temperature > 0 ? requestSeed : 0);
    const spread = Math.max(LEAST_SPREAD, temperature);
    const sampler = createProsodySampler({ seed, temperature: spread, topP: temperature > 0 ? topP : 1 });
    for (const phrase of piece.phrases) {
      signal.throwIfAborted();
      const isFirst = sampleCount === 0;
      const atMs = (sampleCount + LEAD) / MS + (isFirst ? LEAD_IN_MS : 0);
      const options = { settings: { ...settings, speed }, normal: sampler.normal, isFirst, atMs };
      for await (const event of speakPhrase(engine, phrase, options, signal)) {
        if (event.type === 'audio' && sampleCount === 0) {
          const silence = new Float32Array(LEAD_IN_MS * MS);
          sampleCount += silence.length;
          yield { type: 'audio', samples: silence };
          signal.throwIfAborted();
        }
        if (event.type === 'audio') sampleCount += event.samples.length;
        yield event;
        signal.throwIfAborted();
      }
    }
  }
  if (sampleCount === 0) yield { type: 'audio', samples: new Float32Array(NOTHING_MS * MS) };
}

type PhraseOptions = {
  settings: Settings;
  normal: (deviation: number) => number;
  /** True if nothing was spoken before. */
  isFirst: boolean;
  atMs: number;
};

/** Speaks a phrase and the pause after it; a first phrase without speakable words has none. */
async function* speakPhrase(
  { voice, finish, pronounce }: Engine,
  phrase: SpokenPhrase,
  { settings, normal, isFirst, atMs }: PhraseOptions,
  signal: AbortSignal,
): AsyncGenerator<SynthesisEvent> {
  const planned = await planSyllables(phrase, voice, pronounce);
  const { ending } = phrase;
  const { rate, speed } = settings;
  const usualPause = PAUSES_MS[ending] * MS;
  if (planned.length === 0) {
    if (!isFirst) yield* silence(Math.round(usualPause / rate / speed));
    return;
  }
  const { sounds } = voice;
  const lead = isFirst ? LEAD + LEAD_IN_MS * MS : LEAD;
  const phrased = timePhrase(planned, { sounds, ending, rate, speed, lead, pause: usualPause, normal });
  const timed = phrased.syllables as SoundingSyllable[];
  const contour = planContour(timed, { sounds, ending, range: settings.range, normal });
  const length = LEAD + Math.ceil(timed.at(-1)!.to);
  const shaping = { finish, convert: settings.createConversion() };
  const sound = new Float32Array(length + TRAIL + soundAhead(shaping));
  const voicing = createFrameMarks(sound.length);
  const shaper = createEnvelopeShaper(sound, { ...shaping, voicing });
  const envelopes = createEnvelopes(GRAIN_SIZE);
  const times = createWordEvents(phrase, timed, atMs);
  let end = length;
  const sounding = { syllables: timed, contour, settings, envelopes };
  for (const index of timed.keys()) {
    signal.throwIfAborted();
    addSyllable({ sound, voicing }, sounding, index);
    const next = timed[index + 1];
    if (next === undefined) end = endOf(sound, length);
    // Windows of the next syllable begin at most `LEAD` before it.
    const final = next === undefined ? end : Math.floor(next.begin) - LEAD - soundAhead(shaping);
    yield* times.upTo(index);
    const shaped = await shaper.take(final);
    if (next === undefined) fadeOut(shaped);
    for (const samples of blocks(shaped, settings.gain)) {
      yield { type: 'audio', samples };
    }
    await yieldToEventLoop();
  }
  yield* silence(Math.round(phrased.pause) - (end - length));
}

/** Emits each word when its last syllable is rendered. */
function createWordEvents({ words }: SpokenPhrase, timed: readonly SoundingSyllable[], atMs: number) {
  let from = 0;
  return {
    *upTo(index: number): Generator<SynthesisEvent> {
      const { word } = timed[index]!;
      if (timed[index + 1]?.word === word) return;
      const syllables = timed.slice(from, index + 1).map(({ label, from: start, end }) => ({
        text: label,
        startMs: Math.round(atMs + start / MS),
        endMs: Math.round(atMs + end / MS),
      }));
      from = index + 1;
      const { written } = words[word]!;
      const time = { text: written, startMs: syllables[0]!.startMs, endMs: syllables.at(-1)!.endMs };
      yield { type: 'word', word: time, syllables };
    },
  };
}

function* blocks(sound: Float32Array, gain: number): Generator<Float32Array<ArrayBuffer>> {
  for (let at = 0; at < sound.length; at += BLOCK) yield amplify(sound.subarray(at, at + BLOCK), gain);
}

function* silence(length: number): Generator<SynthesisEvent> {
  for (let samplesLeft = length; samplesLeft > 0; samplesLeft -= BLOCK)
    yield { type: 'audio', samples: new Float32Array(Math.min(samplesLeft, BLOCK)) };
}

/** Returns the sample at which the last period of a phrase of that length has ended. */
function endOf(sound: Float32Array, length: number): number {
  const silentFrom = sound.findLastIndex((sample) => sample !== 0) + 1;
  return Math.max(length, Math.min(silentFrom, length + TRAIL));
}

/** Fades the end of the sound, in place. */
function fadeOut(sound: Float32Array): void {
  const from = Math.max(0, sound.length - FADE);
  for (let i = from; i < sound.length; i += 1) sound[i]! *= 0.5 + 0.5 * Math.cos((Math.PI * (i - from + 1)) / FADE);
}
