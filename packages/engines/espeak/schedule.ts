import type { SpokenPhrase } from '@jyutsing/contracts/spoken-text';
import { analyzeSpeech } from '@jyutsing/audio/vocoder/analyze-speech';
import type { Draws } from './prosody-sampling.ts';
import { SOURCE_PITCH_HZ, type EspeakDriver, type SourceSpeech } from './espeak-driver.ts';
import { aimOf, type PhraseMelody, type Position, type SyllableAim } from './phrase-f0-contour.ts';
import { addRest, type Score, type Source } from './timeline.ts';
import { sharpenNoise } from './restore-transients.ts';
import { planSource } from './source-text.ts';
import { findSyllables, type SourceSyllable } from './syllables.ts';
import { PAUSES_MS, timeSyllables, type TimedSyllable } from './timing.ts';

/** After the last sound of a phrase: its release dies away in it. Part of the pause where there is one. */
const TAIL_MS = 60;
const TAIL_FADE_DB = -55;
/** Around what is used of a source: windows of the analysis reach so far. */
const SOURCE_MARGIN_MS = 80;
/** Of unsteadiness in the length of everything in a phrase. */
const PACE_DEVIATION = 0.03;
/** Levels at which espeak-ng speaks, as they are made equal; and room for peaks, which a lower voice has higher. */
const VOICE_GAINS_DB = { yue: -2.5, cmn: -2.9, en: 0 } as const;
/** Down to the end of a phrase. */
const LEVEL_DECLINATION_DB = -2.5;
/** The last syllable of a phrase dies away from this share of it on. */
const DYING_FROM = 0.45;
const DYING_DB = -9;
/** Of closures before unreleased stops, and how fast they come. */
const CLOSED_DB = -60;
const CLOSING_MS = 15;

/** What a phrase is arranged with; `syllableMs` is the mean of what syllables last. */
export type Arranging = { driver: EspeakDriver; score: Score; draws: Draws; syllableMs: number; speed: number };

/** What one call of espeak-ng has added to the score. */
export type Arranged = {
  syllables: { syllable: TimedSyllable; aim: SyllableAim }[];
  startMs: number;
  endMs: number;
  isFirst: boolean;
  isLast: boolean;
};

/**
 * Has a phrase said call by call, gives its syllables their times and puts them into the score; its pause comes with the last call.
 * `isStart`: nothing was said before, and somebody waits for the first sound. A phrase that nobody can say gives nothing.
 */
export function* arrangePhrase(
  { driver, score, draws, syllableMs: meanMs, speed }: Arranging,
  phrase: SpokenPhrase,
  melody: PhraseMelody,
  isStart: boolean,
): Generator<Arranged> {
  const { calls, ending } = planSource(phrase, isStart);
  const syllableMs = meanMs * Math.exp(draws.normal(PACE_DEVIATION));
  let number = 0;
  let previous: TimedSyllable | null = null;
  for (const [index, call] of calls.entries()) {
    const isLast = index === calls.length - 1;
    const said = driver.say(call.voice, call.text);
    const found = findSyllables(said, call);
    const startMs = score.endMs();
    const timed = timeSyllables(found, { startMs, syllableMs, ending: isLast ? ending : null, draws });
    const positions = positionsOf(timed, { number, previous, isLast });
    if (timed.length > 0) {
      const source = analyse(said, found);
      let gainDb = 0;
      for (const [at, syllable] of timed.entries()) {
        const from = (number + at) / melody.expectedSyllables;
        const progress = [Math.min(1, from), Math.min(1, from + 1 / melody.expectedSyllables)] as const;
        const isDying = isLast && at === timed.length - 1 && ending !== 'none';
        gainDb = place({ score, source }, syllable, progress, isDying);
      }
      if (isLast) dieAway({ score, source }, timed.at(-1)!, gainDb);
    }
    const endMs = timed.at(-1)?.endMs ?? startMs;
    if (isLast) addRest(score, PAUSES_MS[ending] / speed - (score.endMs() - endMs));
    const syllables = timed.map((syllable, at) => ({ syllable, aim: aimOf(syllable, positions[at]!, melody, draws) }));
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

/** Frames of as much of the source as is used. */
function analyse({ samples, sampleRateHz }: SourceSpeech, syllables: readonly SourceSyllable[]): Source {
  const fromMs = Math.max(0, Math.floor(syllables[0]!.parts[0]!.startMs - SOURCE_MARGIN_MS));
  const toMs = syllables.at(-1)!.parts.at(-1)!.endMs + SOURCE_MARGIN_MS;
  const sampleAt = (timeMs: number) => Math.min(samples.length, Math.round((timeMs / 1_000) * sampleRateHz));
  const used = samples.subarray(sampleAt(fromMs), sampleAt(toMs));
  const frames = analyzeSpeech(used, sampleRateHz, { pitchHz: SOURCE_PITCH_HZ });
  sharpenNoise(frames, used, sampleRateHz);
  return { frames, startMs: fromMs };
}

type Place = { score: Score; source: Source };

/** `progress` is how much of the phrase has passed at the syllable's start and end. Gives its gain at the end, dB. */
function place(
  { score, source }: Place,
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
    if (!isSilenced) score.add({ ...stretch, fromMs, toMs, gainsDb: [gainAt(fromMs), gainAt(toMs)] });
    else {
      const closedMs = Math.min(toMs, fromMs + CLOSING_MS);
      score.add({ ...stretch, fromMs, toMs: closedMs, gainsDb: [gainAt(fromMs), CLOSED_DB] });
      score.add({ ...stretch, fromMs: closedMs, toMs, gainsDb: [CLOSED_DB, CLOSED_DB] });
    }
  }
  return gainAt(endMs);
}

function dieAway({ score, source }: Place, { parts }: TimedSyllable, gainDb: number): void {
  const { endMs: sourceFromMs, isSilenced, toMs: fromMs } = parts.at(-1)!;
  const startDb = isSilenced ? CLOSED_DB : gainDb;
  const gainsDb = [startDb, startDb + TAIL_FADE_DB] as const;
  score.add({ fromMs, toMs: fromMs + TAIL_MS, source, sourceFromMs, sourceToMs: sourceFromMs + TAIL_MS, gainsDb });
}
