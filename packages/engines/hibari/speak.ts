import { joinSamples } from '@jyutsing/audio/join-samples';
import { amplify } from '@jyutsing/audio/encoding/sample-values';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { PhraseEnding } from '@jyutsing/contracts/spoken-text';
import type { SpokenTime, SynthesisEvent, SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { gainFor, type EngineLoudness } from '#engines/runtime/loudness.ts';
import { createProsodySampler, hashText } from '#engines/runtime/prosody-sampling.ts';
import type { Graph, Prediction } from './open-graph.ts';
import { planRuns, type Run } from './plan-runs.ts';
import { findSound, renderRun, type Stretch } from './render-run.ts';
import type { SpellWord } from './spell-word.ts';
import { FRAME_MS, SAMPLE_RATE_HZ } from './spectra.ts';
import { createVoiceShape } from './voice-shape.ts';

/** Milliseconds of silence after a run, at a speed of 1. */
const PAUSES_MS: Readonly<Record<PhraseEnding, number>> = {
  none: 0,
  comma: 180,
  statement: 350,
  question: 350,
  exclamation: 350,
  ellipsis: 500,
};
/** Length of the silence for a request without speakable text, in milliseconds. */
const NOTHING_MS = 100;
/** Speeds that the graph was trained on; beyond them its frames are passed over or said again. */
const TRAINED = [0.6, 1.5] as const;
/** Standard deviations at a temperature of 1: of the pitch in semitones, of the log of the pace. */
const PITCH_DEVIATION = 0.35;
const PACE_DEVIATION = 0.03;
const LOUDNESS: EngineLoudness = { gainDb: 7.7, byOctaveDb: 0.55, byBrightness: 0 };
/** Blocks of audio in samples; the first is short, for an early beginning. */
const FIRST_BLOCK = 0.05 * SAMPLE_RATE_HZ;
const BLOCK = 0.2 * SAMPLE_RATE_HZ;

/**
 * Synthesizes the pieces of a request clause by clause: each is predicted as a whole, and rendered
 * as it is pulled. An aborted signal throws its reason.
 */
export async function* speak(
  { graph, spell }: { graph: Graph; spell: SpellWord },
  { pieces, voice, speed, pitchSemitones, temperature, topP, seed: requestSeed }: SynthesisRequest,
  signal: AbortSignal,
): AsyncGenerator<SynthesisEvent> {
  signal.throwIfAborted();
  const shape = createVoiceShape(voice.profile);
  const gain = gainFor(voice.profile, LOUDNESS);
  let sampleCount = 0;
  for (const run of planRuns(pieces, spell)) {
    const seed = hashText(run.letters.join(''), temperature > 0 ? requestSeed : 0);
    const sampler = createProsodySampler({ seed, temperature, topP });
    const semitones = pitchSemitones + sampler.normal(PITCH_DEVIATION);
    const tempo = speed * shape.rate * Math.exp(sampler.normal(PACE_DEVIATION));
    const trained = Math.min(TRAINED[1], Math.max(TRAINED[0], tempo));
    const pace = tempo / trained;
    const prediction = await graph.predict(run.letters, trained);
    signal.throwIfAborted();
    const sound = findSound(prediction.spectra);
    const startMs = (sampleCount * 1_000) / SAMPLE_RATE_HZ;
    for (const word of wordTimes(run, prediction, sound, pace)) {
      yield { type: 'word', word: later(word, startMs), syllables: [] };
      signal.throwIfAborted();
    }
    let [waiting, size]: [Float32Array[], number] = [[], 0];
    for (const samples of renderRun(prediction.spectra, sound, { shape, semitones, pace, seed })) {
      waiting.push(samples);
      size += samples.length;
      if (size < (sampleCount === 0 ? FIRST_BLOCK : BLOCK)) continue;
      yield { type: 'audio', samples: amplify(joinSamples(waiting), gain) };
      sampleCount += size;
      [waiting, size] = [[], 0];
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
    const pause = new Float32Array(Math.round((PAUSES_MS[run.ending] / 1_000 / speed) * SAMPLE_RATE_HZ));
    for (const samples of blocksOf(joinSamples([...waiting, pause]))) {
      yield { type: 'audio', samples: amplify(samples, gain) };
      sampleCount += samples.length;
      signal.throwIfAborted();
    }
  }
  if (sampleCount === 0) yield { type: 'audio', samples: new Float32Array((NOTHING_MS / 1_000) * SAMPLE_RATE_HZ) };
}

function* blocksOf(samples: Float32Array): Generator<Float32Array> {
  for (let at = 0; at < samples.length; at += BLOCK) yield samples.subarray(at, at + BLOCK);
}

/** The times of the words of a run, from the beginning of its sound. */
function wordTimes({ words }: Run, { lengths }: Prediction, { from, to }: Stretch, pace: number): SpokenTime[] {
  const ends: number[] = [];
  for (const length of lengths) ends.push((ends.at(-1) ?? 0) + length);
  const timeOf = (frame: number) => ((Math.min(to, Math.max(from, frame)) - from) * FRAME_MS) / pace;
  // The first length is that of the edge before the letters.
  return words.map(({ written, from: first, to: last }) => ({
    text: written,
    startMs: timeOf(ends[first]!),
    endMs: timeOf(ends[last]!),
  }));
}

function later({ text, startMs, endMs }: SpokenTime, byMs: number): SpokenTime {
  return { text, startMs: startMs + byMs, endMs: endMs + byMs };
}
