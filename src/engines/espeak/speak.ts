import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SpokenPhrase } from '#contracts/spoken-text.ts';
import type { SynthesisEvent, SynthesisRequest } from '#contracts/synthesizer.ts';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '#contracts/synthesizer.ts';
import { analyzeSpeech } from '#audio/vocoder/analyze-speech.ts';
import { createResynthesizer } from '#audio/vocoder/resynthesize.ts';
import { FRAME_MS } from '#audio/vocoder/speech-frames.ts';
import { createDraws, hashText, type Draws } from './draws.ts';
import { SOURCE_PITCH_HZ, type EspeakDriver, type SourceSpeech } from './espeak-driver.ts';
import { createMelody } from './melody.ts';
import { aimOf, planMelody, type PhraseMelody } from './phrase-melody.ts';
import { createFrame, createScore, type Score, type Source } from './score.ts';
import { planSource } from './source-text.ts';
import { createSpeaker } from './speaker.ts';
import { findSyllables, type SourceSyllable } from './syllables.ts';
import { PAUSES_MS, timeSyllables, type TimedPart, type TimedSyllable } from './timing.ts';
import { createWordTeller } from './word-times.ts';

/** Before the first sound of a piece: what begins at once is cut by players. */
const LEAD_MS = 25;
/** After the last sound of a phrase: its release dies away in it. Part of the pause where there is one. */
const TAIL_MS = 60;
const TAIL_FADE_DB = -55;
/** Rendered only when the call after it is known: pitch aims ahead and sources go over into each other. */
const HELD_BACK_MS = 45;
/** Sound is given out in blocks; the first is short, since somebody waits for it. */
const FIRST_BLOCK_SAMPLES = SYNTHESIS_SAMPLE_RATE_HZ * 0.04;
const BLOCK_SAMPLES = SYNTHESIS_SAMPLE_RATE_HZ * 0.16;
/** Whoever shares the process, and an abort, get a turn after this much work. */
const TURN_MS = 10;
/** Around what is used of a source: windows of the analysis reach so far. */
const SOURCE_MARGIN_MS = 80;
/** Of unsteadiness in the length of everything in a phrase. */
const PACE_DEVIATION = 0.03;
/** Levels at which espeak-ng speaks, as they are made equal; and room for peaks, which a lower voice has higher. */
const VOICE_GAINS_DB = { yue: -2.5, cmn: -2.9, en: 0 } as const;
/** Down to the end of a phrase. */
const LEVEL_DECLINATION_DB = -2.5;
/** Of closures before unreleased stops. */
const CLOSED_DB = -60;
/** A request of which nothing can be said still has a sound. */
const NOTHING_MS = 100;

/** What is under way for one request. */
type Speech = { driver: EspeakDriver; score: Score; draws: Draws; request: SynthesisRequest; syllableMs: number };

/**
 * Speaks the pieces of a request as it goes along: call by call espeak-ng says a few words in a monotone, they are taken apart into
 * frames, get the times and the melody of speech and the voice of the speaker, and are put together again.
 */
export async function* speak(
  driver: EspeakDriver,
  request: SynthesisRequest,
  signal: AbortSignal,
): AsyncGenerator<SynthesisEvent> {
  signal.throwIfAborted();
  const { pieces, voice, speed, pitchSemitones, temperature, topP } = request;
  const seed = temperature > 0 ? hashText(pieces.map(({ said }) => said).join('\n'), request.seed) : 0;
  const draws = createDraws({ seed, temperature, topP });
  const speaker = createSpeaker(voice.profile, pitchSemitones);
  const score = createScore();
  const melody = createMelody(speed);
  const speech: Speech = { driver, score, draws, request, syllableMs: speaker.syllableMs / speed };
  const renderer = createRenderer(score, speaker, melody, seed, signal);
  for (const piece of pieces) {
    rest(score, LEAD_MS);
    for (const [index, phrase] of piece.phrases.entries()) {
      const teller = createWordTeller(phrase.words);
      const plan = planMelody(phrase, index, draws);
      for (const step of planPhrase(speech, phrase, plan, score.endMs() <= LEAD_MS)) {
        if (step.isFirst) {
          yield* renderer.renderUntil(step.startMs);
          melody.reset();
        }
        for (const { syllable, aim } of step.aimed) melody.add(syllable, aim);
        for (const { syllable } of step.aimed) yield* teller.add(syllable);
        yield* renderer.renderUntil(step.isLast ? score.endMs() : step.endMs - HELD_BACK_MS);
      }
      yield* teller.end();
    }
  }
  if (score.endMs() <= LEAD_MS * pieces.length) rest(score, NOTHING_MS);
  yield* renderer.renderUntil(score.endMs());
  yield* renderer.end();
}

function rest(score: Score, durationMs: number): void {
  const fromMs = score.endMs();
  score.add({ fromMs, toMs: fromMs + durationMs, source: null, sourceFromMs: 0, sourceToMs: 0, gainsDb: [0, 0] });
}

type Aimed = { syllable: TimedSyllable; aim: ReturnType<typeof aimOf> };
type Step = { aimed: Aimed[]; startMs: number; endMs: number; isFirst: boolean; isLast: boolean };

/** Says a phrase call by call and puts it into the score; its pause comes with the last call. */
function* planPhrase(speech: Speech, phrase: SpokenPhrase, plan: PhraseMelody, isStart: boolean): Generator<Step> {
  const { driver, score, draws, request } = speech;
  const { calls, ending } = planSource(phrase, isStart);
  const syllableMs = speech.syllableMs * Math.exp(draws.normal(PACE_DEVIATION));
  let number = 0;
  let previous: TimedSyllable | null = null;
  for (const [index, call] of calls.entries()) {
    const isLast = index === calls.length - 1;
    const said = driver.say(call.voice, call.text);
    const found = findSyllables(said, call);
    const startMs = score.endMs();
    const timed = timeSyllables(found, { startMs, syllableMs, ending: isLast ? ending : null, draws });
    const nuclear = isLast ? timed.findLastIndex(({ stress }) => stress === 1) : Infinity;
    const aimed = timed.map((syllable, at): Aimed => {
      const position = {
        number: number + at,
        previous: timed[at - 1] ?? previous,
        next: timed[at + 1] ?? null,
        isLast: isLast && at === timed.length - 1,
        isNuclear: at === nuclear,
        isAfterNuclear: at > nuclear,
      };
      return { syllable, aim: aimOf(syllable, position, plan, draws) };
    });
    if (timed.length > 0) {
      const source = analyse(said, found);
      const progress = (at: number) => Math.min(1, (number + at) / plan.expectedSyllables);
      timed.forEach((syllable, at) => place(score, source, syllable, [progress(at), progress(at + 1)]));
      if (isLast) {
        const gainDb = VOICE_GAINS_DB[call.voice] + LEVEL_DECLINATION_DB;
        endPhrase(score, source, timed.at(-1)!.parts.at(-1)!, gainDb, PAUSES_MS[ending] / request.speed);
      }
    }
    number += timed.length;
    previous = timed.at(-1) ?? previous;
    yield { aimed, startMs, endMs: timed.at(-1)?.endMs ?? startMs, isFirst: index === 0, isLast };
  }
}

/** Frames of as much of the source as is used. */
function analyse({ samples, sampleRateHz }: SourceSpeech, syllables: readonly SourceSyllable[]): Source {
  const fromMs = Math.max(0, Math.floor(syllables[0]!.parts[0]!.startMs - SOURCE_MARGIN_MS));
  const toMs = syllables.at(-1)!.parts.at(-1)!.endMs + SOURCE_MARGIN_MS;
  const sampleAt = (timeMs: number) => Math.min(samples.length, Math.round((timeMs / 1_000) * sampleRateHz));
  const used = samples.subarray(sampleAt(fromMs), sampleAt(toMs));
  return { frames: analyzeSpeech(used, sampleRateHz, { pitchHz: SOURCE_PITCH_HZ }), startMs: fromMs };
}

function place(
  score: Score,
  source: Source,
  { parts, voice }: TimedSyllable,
  progress: readonly [number, number],
): void {
  const gainAt = (share: number) => VOICE_GAINS_DB[voice] + share * LEVEL_DECLINATION_DB;
  const gainsDb = [gainAt(progress[0]), gainAt(progress[1])] as const;
  for (const { isSilenced, fromMs, toMs, startMs, endMs } of parts) {
    const stretch = { source, sourceFromMs: startMs, sourceToMs: endMs };
    if (!isSilenced) score.add({ ...stretch, fromMs, toMs, gainsDb });
    else {
      const closedMs = Math.min(toMs, fromMs + CLOSING_MS);
      score.add({ ...stretch, fromMs, toMs: closedMs, gainsDb: [gainsDb[1], CLOSED_DB] });
      score.add({ ...stretch, fromMs: closedMs, toMs, gainsDb: [CLOSED_DB, CLOSED_DB] });
    }
  }
}
const CLOSING_MS = 15;

function endPhrase(score: Score, source: Source, last: TimedPart, gainDb: number, pauseMs: number): void {
  const fromMs = score.endMs();
  const sourceFromMs = last.endMs;
  const startDb = last.isSilenced ? CLOSED_DB : gainDb;
  score.add({
    fromMs,
    toMs: fromMs + TAIL_MS,
    source,
    sourceFromMs,
    sourceToMs: sourceFromMs + TAIL_MS,
    gainsDb: [startDb, startDb + TAIL_FADE_DB],
  });
  if (pauseMs > TAIL_MS) rest(score, pauseMs - TAIL_MS);
}

/** Makes sound of the score, frame by frame. */
function createRenderer(
  score: Score,
  speaker: ReturnType<typeof createSpeaker>,
  melody: ReturnType<typeof createMelody>,
  seed: number,
  signal: AbortSignal,
) {
  const resynthesizer = createResynthesizer({ seed });
  const frame = createFrame();
  let frames = 0;
  let waiting: Float32Array[] = [];
  let waitingSamples = 0;
  let wanted = FIRST_BLOCK_SAMPLES;
  let turnFromMs = performance.now();

  const takeBlock = (): SynthesisEvent => {
    const samples = new Float32Array(waitingSamples);
    let at = 0;
    for (const part of waiting) {
      for (const sample of part) samples[at++] = limit(sample);
    }
    waiting = [];
    waitingSamples = 0;
    wanted = BLOCK_SAMPLES;
    return { type: 'audio', samples };
  };
  const keep = (samples: Float32Array) => {
    waiting.push(samples);
    waitingSamples += samples.length;
  };

  return {
    async *renderUntil(untilMs: number): AsyncGenerator<SynthesisEvent> {
      for (; frames * FRAME_MS < untilMs; frames += 1) {
        const timeMs = frames * FRAME_MS;
        score.fill(timeMs, frame);
        const pitchHz = frame.isVoiced ? speaker.pitchHzOf(melody.at(timeMs)) : 0;
        speaker.shape(frame, pitchHz);
        keep(resynthesizer.push({ pitchHz, envelopeDb: frame.envelopeDb, noiseShares: frame.noiseShares }));
        if (waitingSamples >= wanted) yield takeBlock();
        if (performance.now() - turnFromMs > TURN_MS) {
          await nextTurn();
          turnFromMs = performance.now();
        }
        signal.throwIfAborted();
      }
    },
    *end(): Generator<SynthesisEvent> {
      keep(resynthesizer.flush());
      if (waitingSamples > 0) yield takeBlock();
    },
  };
}

/** Peaks bend instead of breaking. */
function limit(sample: number): number {
  const size = Math.abs(sample);
  if (size <= KNEE) return sample;
  return Math.sign(sample) * (KNEE + (1 - KNEE) * Math.tanh((size - KNEE) / (1 - KNEE)));
}
const KNEE = 0.8;
