import { placeAt, type TimedSyllable } from './durations.ts';
import type { Envelopes } from './envelope.ts';
import { CONTOUR_STEP } from './phrase-contour.ts';
import { markFrame } from './shape-envelopes.ts';
import { isOpen, type Sounds } from './sounds.ts';
import { MS, nearestMark, UNVOICED_STEP, type SoundingUnit } from './unit.ts';
import { VOICE_RATE_HZ } from './voice-file.ts';

/** A timed syllable with the sound of its recording. */
export type SoundingSyllable = TimedSyllable & { sound: SoundingUnit };

export type VoiceSettings = {
  sounds: Sounds;
  /** Pitch of the middle register in hertz. */
  middleHz: number;
  /** Factor of the formants relative to the recorded speaker. */
  formants: number;
};

/** Samples before the first sample of a phrase, for the windows of its first periods. */
export const LEAD = 2 * UNVOICED_STEP;
/** Samples on either side of an open join in which envelopes are interpolated. */
const JOIN = 15 * MS;
const KEPT_CEPSTRA = 44;
/** Longest half of a window, in periods of the new pitch. */
const MAX_HALF = 1.25;
/** Onsets without a consonant. */
const SMOOTH_ONSETS = new Set(['', 'w', 'j']);
const WEAK_DB = -1.5;
const PHRASE_DB = -3;
/** Level in dB, from the loudest place of a rime, below which levels are raised at open joins. */
const LIFTED_DB = -3;
const MOST_LIFT_DB = 9;

/** A phrase to synthesize; `contour` has its pitch in semitones. */
export type SoundingPhrase = {
  syllables: readonly SoundingSyllable[];
  contour: Float32Array;
  settings: VoiceSettings;
  envelopes: Envelopes;
};

/**
 * Adds one syllable of a phrase to `sound`, period by period at the pitch of the contour
 * (TD-PSOLA). Nothing is added more than two periods before its `begin`.
 */
export function addSyllable(
  { sound: output, voicing }: { sound: Float32Array; voicing: Uint8Array },
  { syllables, contour, settings, envelopes }: SoundingPhrase,
  index: number,
): void {
  const syllable = syllables[index]!;
  const { sound, begin, end } = syllable;
  const periodAt = (time: number) => {
    const semitones = contour[Math.min(contour.length - 1, Math.floor(time / CONTOUR_STEP))]!;
    return VOICE_RATE_HZ / (settings.middleHz * 2 ** (semitones / 12));
  };
  const gain = 10 ** (levelDb(syllable, index / syllables.length, settings.sounds) / 20);
  const joins = openJoins(syllables, index);
  const lift = createLift(syllable, joins, settings.sounds);
  const unvoicedGain = unvoicedGainOf(settings);
  let time = begin;
  for (; time < end;) {
    const place = placeAt(syllable, time);
    const mark = nearestMark(sound, place);
    const isVoiced = sound.isVoiced[mark] === 1;
    const period = periodAt(time);
    const longest = isVoiced ? MAX_HALF * period : UNVOICED_STEP;
    let { samples, left: halfLength } = grainAt(sound, mark, longest, settings.formants);
    if (isVoiced) samples = joined(samples, { time, longest, formants: settings.formants }, joins, envelopes);
    if (isVoiced) for (let at = 0; at < period; at += UNVOICED_STEP) markFrame(voicing, time + at + LEAD);
    add(
      output,
      samples,
      Math.round(time) - halfLength + LEAD,
      gain *
        (isVoiced ? lift(mark) : unvoicedGain) *
        levelAt(syllable, { time, place, isVoiced, joins }, settings.sounds),
    );
    time += isVoiced ? period * sound.jitter[mark]! : UNVOICED_STEP;
  }
}

/**
 * Computes the gain of unvoiced sounds. At a lower pitch there are fewer grains of voice a second,
 * and so less power; at a higher one their windows become shorter. Unvoiced sounds follow, which
 * keeps their distance from voiced ones.
 */
function unvoicedGainOf({ middleHz, sounds }: VoiceSettings): number {
  return Math.sqrt(Math.min(MAX_HALF, middleHz / sounds.middleHz));
}

function levelDb({ sound: { parts }, isWeak }: SoundingSyllable, share: number, { toneDb }: Sounds): number {
  return PHRASE_DB * share + (toneDb[parts.tone] ?? 0) + (isWeak ? WEAK_DB : 0);
}

type Join = { time: number; other: SoundingUnit; place: number; envelope: Float64Array | null };

/** Returns the joins at which the voice goes on from one syllable into the next. */
function openJoins(syllables: readonly SoundingSyllable[], index: number): Join[] {
  const joins: Join[] = [];
  const [before, current, after] = [syllables[index - 1], syllables[index]!, syllables[index + 1]];
  const isJoined = (earlier: SoundingSyllable | undefined, later: SoundingSyllable | undefined) =>
    earlier !== undefined &&
    later !== undefined &&
    !later.followsOn &&
    earlier.tail === 0 &&
    !later.isClosed &&
    isOpen(later.sound.parts);
  if (isJoined(before, current))
    joins.push({ time: current.begin, other: before!.sound, place: before!.places.at(-1)!, envelope: null });
  if (isJoined(current, after))
    joins.push({ time: current.end, other: after!.sound, place: after!.places[0]! + 8 * MS, envelope: null });
  return joins;
}

/**
 * Returns a function for the gain of each place of a recording on the sides where its voice goes
 * on.
 */
function createLift({ sound, begin, end, isFinal }: SoundingSyllable, joins: readonly Join[], { liftShare }: Sounds) {
  const { marks, levels, rime } = sound;
  const isJoinedBefore = joins.some(({ time }) => time === begin);
  const isJoinedAfter = !isFinal && joins.some(({ time }) => time === end);
  const middle = 0.5 * (rime + sound.end);
  return (mark: number): number => {
    const place = marks[mark]!;
    const isLifted = place < middle ? isJoinedBefore : isJoinedAfter;
    const liftDb = isLifted ? liftShare * Math.max(0, LIFTED_DB - levels[mark]!) : 0;
    return 10 ** (Math.min(MOST_LIFT_DB, liftDb) / 20);
  };
}

/** Size of the transform in `joined`: two long periods. */
export const GRAIN_SIZE = 1_024;
const GRAIN_BINS = GRAIN_SIZE / 2 + 1;
const ownEnvelope = new Float64Array(GRAIN_BINS);
const change = new Float64Array(GRAIN_BINS);

/** Returns the grain with its envelope moved towards the other side of a near join. */
function joined(
  samples: Float32Array<ArrayBuffer>,
  { time, longest, formants }: { time: number; longest: number; formants: number },
  joins: readonly Join[],
  envelopes: Envelopes,
): Float32Array<ArrayBuffer> {
  let shaped = samples;
  for (const join of joins) {
    const distance = Math.abs(time - join.time);
    if (distance > JOIN) continue;
    const mark = nearestMark(join.other, join.place);
    if (join.other.isVoiced[mark] === 0) continue;
    if (join.envelope === null) {
      join.envelope = new Float64Array(GRAIN_BINS);
      envelopes.analyze(grainAt(join.other, mark, longest, formants).samples);
      envelopes.envelope(join.envelope, KEPT_CEPSTRA);
    }
    envelopes.analyze(shaped);
    envelopes.envelope(ownEnvelope, KEPT_CEPSTRA);
    const share = 0.25 * (1 + Math.cos((Math.PI * distance) / JOIN));
    for (let k = 0; k < GRAIN_BINS; k += 1)
      change[k] = Math.max(-2.5, Math.min(2.5, share * (join.envelope[k]! - ownEnvelope[k]!)));
    shaped = Float32Array.from(envelopes.shape(change).subarray(0, samples.length));
  }
  return shaped;
}

/** Computes the falls and rises of the level within a syllable. */
function levelAt(
  { sound: { parts, rime }, begin, end, tail, isFinal, followsOn, isFollowed, isEnglish }: SoundingSyllable,
  { time, place, isVoiced, joins }: { time: number; place: number; isVoiced: boolean; joins: readonly Join[] },
  { unvoicedGain, edgeFadeMs, finalFadeMs, english }: Sounds,
): number {
  let level = 1;
  const riseMs = isEnglish && SMOOTH_ONSETS.has(parts.onset) ? english.riseMs : 0;
  if (time - begin < riseMs * MS) level *= Math.max(0.05, (time - begin) / (riseMs * MS));
  if (!isVoiced && place < rime && parts.manner !== 'plain-stop') {
    level *= unvoicedGain;
    if (parts.manner === 'fricative' && !followsOn)
      level *= Math.min(1, Math.max(0.1, (time - begin + 4 * MS) / (22 * MS)));
  }
  const remaining = end - time;
  if (isFinal) return level * Math.min(1, Math.max(0.03, remaining / (finalFadeMs * MS))) ** 0.7;
  const goesOn = (isFollowed && tail === 0) || joins.some((join) => join.time === end);
  return !goesOn && remaining < edgeFadeMs * MS ? level * Math.max(0.25, remaining / (edgeFadeMs * MS)) : level;
}

/**
 * Cuts two periods around a place under a window whose halves are as long as the periods beside it.
 * Resampling moves the formants, also those of noise: bursts and fricatives come from the same
 * vocal tract, and with those of a longer one a child's t is recognized as p.
 */
function grainAt({ samples, marks, periods, isVoiced }: SoundingUnit, at: number, longest: number, formants: number) {
  const mark = marks[at]!;
  // Grains of noise follow one another at the rate of the recording.
  const width = isVoiced[at] === 1 ? formants : 1;
  const right = Math.floor(Math.min(periods[at]! / width, longest));
  const hasLike = at > 0 && isVoiced[at - 1] === isVoiced[at];
  const left = Math.floor(Math.min((hasLike ? periods[at - 1]! : periods[at]!) / width, longest));
  const grain = new Float32Array(left + right);
  read(samples, mark - left * formants, formants, grain);
  const [rise, fall] = [cosinesOf(left), cosinesOf(right)];
  for (let i = 0; i < left; i += 1) grain[i]! *= 0.5 - 0.5 * rise[i]!;
  for (let i = 0; i < right; i += 1) grain[left + i]! *= 0.5 + 0.5 * fall[i]!;
  return { samples: grain, left };
}

/**
 * Fills `into` with the sound from a place on, `step` samples apart, by cubic interpolation;
 * silence outside of the recording.
 */
function read(samples: Float32Array, from: number, step: number, into: Float32Array): void {
  for (let i = 0; i < into.length; i += 1) {
    const at = from + i * step;
    const sample = Math.floor(at);
    if (sample < 1 || sample + 2 >= samples.length) continue;
    const share = at - sample;
    // Read single values: an array to destructure would be allocated for every sample.
    const a = samples[sample - 1]!;
    const b = samples[sample]!;
    const c = samples[sample + 1]!;
    const d = samples[sample + 2]!;
    into[i] = b + 0.5 * share * (c - a + share * (2 * a - 5 * b + 4 * c - d + share * (3 * (b - c) + d - a)));
  }
}

const knownCosines = new Map<number, Float64Array>();

/** Returns half a period of a cosine in `length` steps. */
function cosinesOf(length: number): Float64Array {
  const cached = knownCosines.get(length);
  if (cached !== undefined) return cached;
  const cosines = Float64Array.from({ length }, (_, i) => Math.cos((Math.PI * i) / length));
  knownCosines.set(length, cosines);
  return cosines;
}

function add(output: Float32Array, samples: ArrayLike<number>, at: number, gain: number): void {
  const from = Math.max(0, -at);
  const to = Math.min(samples.length, output.length - at);
  for (let i = from; i < to; i += 1) output[at + i]! += gain * samples[i]!;
}
