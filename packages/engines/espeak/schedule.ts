import type { SpokenPhrase } from '@jyutsing/contracts/spoken-text';
import { analyzeSpeech } from '@jyutsing/audio/vocoder/analyze-speech';
import type { ProsodySampler } from '#engines/runtime/prosody-sampling.ts';
import { SOURCE_PITCH_HZ, type EspeakDriver, type SourceSpeech } from './espeak-driver.ts';
import { aimOf, type PhraseContour, type Position, type SyllableAim } from './phrase-f0-contour.ts';
import { addSilence, type Timeline, type Source } from './timeline.ts';
import { restoreTransients } from './restore-transients.ts';
import { planSource } from './source-text.ts';
import { findSyllables, type SourceSyllable } from './syllables.ts';
import { PAUSES_MS, timeSyllables, type TimedSyllable } from './timing.ts';

/** Milliseconds for the release of the last sound of a phrase; part of the following pause. */
const TAIL_MS = 60;
const TAIL_FADE_DB = -55;
/** Margin around the used part of a source, in milliseconds: analysis windows extend this far. */
const SOURCE_MARGIN_MS = 80;
/** Standard deviation of the tempo of a phrase, as a share. */
const PACE_DEVIATION = 0.03;
/**
 * Gains that equalize espeak-ng's voices and leave headroom for peaks, which are higher in lower
 * voices.
 */
const VOICE_GAINS_DB = { yue: -2.5, cmn: -2.9, en: 0 } as const;
/** Change of the level up to the end of a phrase, in dB. */
const LEVEL_DECLINATION_DB = -2.5;
/** Share of the last syllable of a phrase at which its fade-out starts. */
const DYING_FROM = 0.45;
const DYING_DB = -9;
/** Level in dB of closures before unreleased stops, and the milliseconds in which it is reached. */
const CLOSED_DB = -60;
const CLOSING_MS = 15;

/** Context of scheduling; `syllableMs` is the mean syllable duration. */
type ScheduleContext = {
  driver: EspeakDriver;
  timeline: Timeline;
  sampler: ProsodySampler;
  syllableMs: number;
  speed: number;
};

/** Result of one call of espeak-ng, added to the timeline. */
type ScheduledCall = {
  syllables: { syllable: TimedSyllable; aim: SyllableAim }[];
  startMs: number;
  endMs: number;
  isFirst: boolean;
  isLast: boolean;
};

/**
 * Synthesizes a phrase call by call, times its syllables and adds them to the timeline; its pause
 * comes with the last call. `isStart` says that this is the first audio of the request, so latency
 * matters. A phrase without speakable text adds nothing.
 */
export function* schedulePhrase(
  { driver, timeline, sampler, syllableMs: meanMs, speed }: ScheduleContext,
  phrase: SpokenPhrase,
  contour: PhraseContour,
  isStart: boolean,
): Generator<ScheduledCall> {
  const { calls, ending } = planSource(phrase, isStart);
  const syllableMs = meanMs * Math.exp(sampler.normal(PACE_DEVIATION));
  let number = 0;
  let previous: TimedSyllable | null = null;
  for (const [index, call] of calls.entries()) {
    const isLast = index === calls.length - 1;
    const spoken = driver.say(call.voice, call.text);
    const spokenSyllables = findSyllables(spoken, call);
    const startMs = timeline.endMs();
    const timed = timeSyllables(spokenSyllables, { startMs, syllableMs, ending: isLast ? ending : null, sampler });
    const positions = positionsOf(timed, { number, previous, isLast });
    if (timed.length > 0) {
      const source = analyze(spoken, spokenSyllables);
      let gainDb = 0;
      for (const [at, syllable] of timed.entries()) {
        const from = (number + at) / contour.expectedSyllables;
        const progress = [Math.min(1, from), Math.min(1, from + 1 / contour.expectedSyllables)] as const;
        const isDying = isLast && at === timed.length - 1 && ending !== 'none';
        gainDb = place({ timeline, source }, syllable, progress, isDying);
      }
      if (isLast) dieAway({ timeline, source }, timed.at(-1)!, gainDb);
    }
    const endMs = timed.at(-1)?.endMs ?? startMs;
    if (isLast) addSilence(timeline, PAUSES_MS[ending] / speed - (timeline.endMs() - endMs));
    const syllables = timed.map((syllable, at) => ({
      syllable,
      aim: aimOf(syllable, positions[at]!, contour, sampler),
    }));
    number += timed.length;
    previous = timed.at(-1) ?? previous;
    yield { syllables, startMs, endMs, isFirst: index === 0, isLast };
  }
}

function positionsOf(
  syllables: readonly TimedSyllable[],
  { number, previous, isLast }: { number: number; previous: TimedSyllable | null; isLast: boolean },
): Position[] {
  const nuclear = isLast ? syllables.findLastIndex(({ stress }) => stress === 1) : Infinity;
  return syllables.map((_, at) => ({
    number: number + at,
    previous: syllables[at - 1] ?? previous,
    isLast: isLast && at === syllables.length - 1,
    isNuclear: at === nuclear,
    isAfterNuclear: at > nuclear,
  }));
}

/** Analyzes the part of the source that is used. */
function analyze({ samples, sampleRateHz }: SourceSpeech, syllables: readonly SourceSyllable[]): Source {
  const fromMs = Math.max(0, Math.floor(syllables[0]!.parts[0]!.startMs - SOURCE_MARGIN_MS));
  const toMs = syllables.at(-1)!.parts.at(-1)!.endMs + SOURCE_MARGIN_MS;
  const sampleAt = (timeMs: number) => Math.min(samples.length, Math.round((timeMs / 1_000) * sampleRateHz));
  const usedSamples = samples.subarray(sampleAt(fromMs), sampleAt(toMs));
  const frames = analyzeSpeech(usedSamples, sampleRateHz, { pitchHz: SOURCE_PITCH_HZ });
  restoreTransients(frames, usedSamples, sampleRateHz);
  return { frames, startMs: fromMs };
}

type Slot = { timeline: Timeline; source: Source };

/**
 * Adds a syllable to the timeline and returns its gain at the end, dB. `progress` is the share of
 * the phrase that has passed at the syllable's start and end.
 */
function place(
  { timeline, source }: Slot,
  { parts, voice, startMs, endMs }: TimedSyllable,
  progress: readonly [number, number],
  isDying: boolean,
): number {
  const gainAt = (timeMs: number) => {
    const share = (timeMs - startMs) / Math.max(1, endMs - startMs);
    const declination = (progress[0] + share * (progress[1] - progress[0])) * LEVEL_DECLINATION_DB;
    const dying = isDying ? Math.max(0, (share - DYING_FROM) / (1 - DYING_FROM)) * DYING_DB : 0;
    return VOICE_GAINS_DB[voice] + declination + dying;
  };
  for (const { isSilenced, fromMs, toMs, startMs: sourceFromMs, endMs: sourceToMs } of parts) {
    const stretch = { source, sourceFromMs, sourceToMs };
    if (!isSilenced) timeline.add({ ...stretch, fromMs, toMs, gainsDb: [gainAt(fromMs), gainAt(toMs)] });
    else {
      const closedMs = Math.min(toMs, fromMs + CLOSING_MS);
      timeline.add({ ...stretch, fromMs, toMs: closedMs, gainsDb: [gainAt(fromMs), CLOSED_DB] });
      timeline.add({ ...stretch, fromMs: closedMs, toMs, gainsDb: [CLOSED_DB, CLOSED_DB] });
    }
  }
  return gainAt(endMs);
}

function dieAway({ timeline, source }: Slot, { parts }: TimedSyllable, gainDb: number): void {
  const { endMs: sourceFromMs, isSilenced, toMs: fromMs } = parts.at(-1)!;
  const startDb = isSilenced ? CLOSED_DB : gainDb;
  const gainsDb = [startDb, startDb + TAIL_FADE_DB] as const;
  timeline.add({ fromMs, toMs: fromMs + TAIL_MS, source, sourceFromMs, sourceToMs: sourceFromMs + TAIL_MS, gainsDb });
}
