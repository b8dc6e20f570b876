import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { PhraseEnding, SpokenPhrase } from '@jyutsing/contracts/spoken-text';
import type { SynthesisEvent, SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { createProsodySampler, hashText } from '#engines/runtime/prosody-sampling.ts';
import { timeSyllables } from './durations.ts';
import { createEnvelopes } from './envelope.ts';
import type { Finish } from './finish.ts';
import type { SyllableVoice } from './open-voice.ts';
import { addSyllable, GRAIN_SIZE, LEAD, type SoundingSyllable } from './overlap-add.ts';
import { planContour } from './phrase-contour.ts';
import { planSyllables, type Pronounce } from './plan-syllables.ts';
import { createEnvelopeShaper, createFrameMarks, soundAhead } from './shape-envelopes.ts';
import { MS } from './unit.ts';
import { settingsFor } from './voice-settings.ts';

/** Silence after a phrase, at a speed of 1. */
const PAUSES_MS: Readonly<Record<PhraseEnding, number>> = {
  none: 0,
  comma: 180,
  statement: 350,
  question: 350,
  exclamation: 350,
  ellipsis: 500,
};
/**
 * Lead-in before the first phrase: players cut off an immediate start. With the `LEAD` of the
 * phrase it is 25 ms.
 */
const LEAD_IN_MS = 15;
/** Length of the silence for a request without speakable text. */
const NOTHING_MS = 100;
/** Longest block of audio. */
const BLOCK = 160 * MS;
/** Level at which soft clipping begins. */
const KNEE = 0.8;
/** Loudness beside the other voices. */
const GAIN = 1.1;
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
  { pieces, voice, speed, pitchSemitones, temperature, topP, seed: asked }: SynthesisRequest,
  signal: AbortSignal,
): AsyncGenerator<SynthesisEvent> {
  signal.throwIfAborted();
  const settings = settingsFor(voice.profile, pitchSemitones, engine.voice.sounds);
  const rate = speed * settings.rate;
  let given = 0;
  let hasSpoken = false;
  for (const piece of pieces) {
    const seed = hashText(piece.spokenForm, temperature > 0 ? asked : 0);
    const spread = Math.max(LEAST_SPREAD, temperature);
    const sampler = createProsodySampler({ seed, temperature: spread, topP: temperature > 0 ? topP : 1 });
    for (const phrase of piece.phrases) {
      signal.throwIfAborted();
      const lead = given === 0 ? LEAD_IN_MS : 0;
      const atMs = (given + LEAD) / MS + lead;
      const options = { settings: { ...settings, speed: rate }, normal: sampler.normal, atMs };
      for await (const event of speakPhrase(engine, phrase, options, signal)) {
        hasSpoken = true;
        if (event.type === 'audio' && given === 0) {
          const silence = new Float32Array(LEAD_IN_MS * MS);
          given += silence.length;
          yield { type: 'audio', samples: silence };
          signal.throwIfAborted();
        }
        if (event.type === 'audio') given += event.samples.length;
        yield event;
        signal.throwIfAborted();
      }
      const pause = Math.round((PAUSES_MS[phrase.ending] / rate) * MS);
      for (const samples of silences(hasSpoken ? pause : 0)) {
        given += samples.length;
        yield { type: 'audio', samples };
        signal.throwIfAborted();
      }
    }
  }
  if (given === 0) yield { type: 'audio', samples: new Float32Array(NOTHING_MS * MS) };
}

type PhraseOptions = { settings: Settings; normal: (deviation: number) => number; atMs: number };

async function* speakPhrase(
  { voice, finish, pronounce }: Engine,
  phrase: SpokenPhrase,
  { settings, normal, atMs }: PhraseOptions,
  signal: AbortSignal,
): AsyncGenerator<SynthesisEvent> {
  const planned = await planSyllables(phrase, voice, pronounce);
  if (planned.length === 0) return;
  const { ending } = phrase;
  const { sounds } = voice;
  const timed = timeSyllables(planned, { sounds, ending, speed: settings.speed, normal }) as SoundingSyllable[];
  const contour = planContour(timed, { sounds, ending, range: settings.range, normal });
  const length = Math.ceil(timed.at(-1)!.to);
  const shaping = { finish, convert: settings.createConversion() };
  const sound = new Float32Array(LEAD + length + soundAhead(shaping));
  const voicing = createFrameMarks(sound.length);
  const shaper = createEnvelopeShaper(sound, { ...shaping, voicing });
  const envelopes = createEnvelopes(GRAIN_SIZE);
  const times = createWordEvents(phrase, timed, atMs);
  for (const index of timed.keys()) {
    signal.throwIfAborted();
    addSyllable({ sound, voicing }, timed, index, contour, settings, envelopes);
    const next = timed[index + 1];
    // Windows of the next syllable begin at most this much before it.
    const final = next === undefined ? LEAD + length : Math.floor(next.begin) - LEAD - soundAhead(shaping);
    yield* times.upTo(index);
    for (const samples of blocks(await shaper.take(final))) {
      yield { type: 'audio', samples };
    }
    await yieldToEventLoop();
  }
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
      const { written, language } = words[word]!;
      const time = { text: written, startMs: syllables[0]!.startMs, endMs: syllables.at(-1)!.endMs };
      // English words are not split into syllables.
      yield { type: 'word', word: time, syllables: language === 'english' ? [] : syllables };
    },
  };
}

function* blocks(sound: Float32Array<ArrayBuffer>): Generator<Float32Array<ArrayBuffer>> {
  for (let at = 0; at < sound.length; at += BLOCK) {
    const block = sound.slice(at, at + BLOCK);
    limit(block);
    yield block;
  }
}

function* silences(samples: number): Generator<Float32Array<ArrayBuffer>> {
  for (let left = samples; left > 0; left -= BLOCK) yield new Float32Array(Math.min(left, BLOCK));
}

/** Applies the gain and clips softly, in place. */
function limit(sound: Float32Array): void {
  for (let i = 0; i < sound.length; i += 1) {
    const sample = GAIN * sound[i]!;
    const size = Math.abs(sample);
    sound[i] = size <= KNEE ? sample : Math.sign(sample) * (KNEE + (1 - KNEE) * Math.tanh((size - KNEE) / (1 - KNEE)));
  }
}
