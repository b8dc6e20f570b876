import type { StyleChange } from '@jyutsing/contracts/spoken-text';

/** A change of the pitch: by an interval, by a frequency, or to a frequency. */
export type PitchChange = { kind: 'semitones' | 'hertz' | 'absolute-hertz'; value: number };

/**
 * How a part of a text is spoken, nested elements included. Changes of the pitch are in the order
 * of their elements, because some depend on the pitch of the voice.
 */
export type Prosody = { rate: number; gain: number; pitch: readonly PitchChange[] };

export const NO_PROSODY: Prosody = { rate: 1, gain: 1, pitch: [] };

/** The rates at which a voice can speak; others are replaced by the nearest of these. */
export const RATE_BOUNDS = { min: 0.5, max: 3 } as const;

/** The rates of Azure's documentation; W3C leaves them open. */
const RATES: Readonly<Record<string, number>> = {
  'x-slow': 0.5,
  slow: 0.64,
  medium: 1,
  default: 1,
  fast: 1.55,
  'x-fast': 2,
};
/** In semitones. */
const PITCHES: Readonly<Record<string, number>> = {
  'x-low': -6,
  low: -3,
  medium: 0,
  default: 0,
  high: 3,
  'x-high': 6,
};
/** In decibels. */
const VOLUMES: Readonly<Record<string, number>> = {
  silent: -Infinity,
  'x-soft': -12,
  soft: -6,
  medium: 0,
  default: 0,
  loud: 4,
  'x-loud': 8,
};
/** Emphasis is slower, higher and louder; its absence the opposite. */
const EMPHASIS: Readonly<Record<string, { rate: number; semitones: number; decibels: number }>> = {
  strong: { rate: 0.88, semitones: 1.5, decibels: 2.5 },
  moderate: { rate: 0.94, semitones: 0.75, decibels: 1.2 },
  none: { rate: 1, semitones: 0, decibels: 0 },
  reduced: { rate: 1.06, semitones: -0.75, decibels: -2 },
};

/** A louder voice than this, by 12 dB, would only be clipped. */
export const MAX_GAIN = 4;
/** The octave by which a model changes its pitch at most. */
const MAX_SEMITONES = 12;
/** The pitch of speech; a frequency outside is replaced by the nearest of these. */
const PITCH_HZ = { min: 40, max: 800 } as const;

const NUMBER = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(%|st|hz|db)?$/i;

type Measure = { sign: '' | '+' | '-'; value: number; unit: string };

function measureOf(text: string): Measure | null {
  const [, sign = '', digits, unit = ''] = NUMBER.exec(text.replaceAll(/\s+/gu, '')) ?? [];
  if (digits === undefined) return null;
  const size = Math.min(1e6, Number(digits));
  return { sign: sign as Measure['sign'], value: sign === '-' ? -size : size, unit: unit.toLowerCase() };
}

/** IBM writes a rate in words a minute; no multiplier is as large as its smallest. */
const MIN_WORDS_A_MINUTE = 10;
const USUAL_WORDS_A_MINUTE = 180;

const labelOf = (labels: Readonly<Record<string, number>>, text: string) => {
  const label = text.trim().toLowerCase();
  return Object.hasOwn(labels, label) ? labels[label] : undefined;
};
const gainOf = (decibels: number) => 10 ** (decibels / 20);

/**
 * Reads a rate as a factor: a label, a factor or percentage (80%), with a sign a change (+20%), or
 * words a minute as of IBM (75, beside 180 as usual).
 * Null for anything else.
 */
export function readRate(text: string): number | null {
  const label = labelOf(RATES, text);
  if (label !== undefined) return label;
  const measure = measureOf(text);
  if (measure === null || (measure.unit !== '' && measure.unit !== '%')) return null;
  const isOfWords = measure.unit === '' && measure.sign === '' && measure.value >= MIN_WORDS_A_MINUTE;
  if (isOfWords) return measure.value / USUAL_WORDS_A_MINUTE;
  const factor = measure.unit === '%' ? measure.value / 100 : measure.value;
  return Math.max(0, measure.sign === '' ? factor : 1 + factor);
}

/**
 * Reads a pitch: a label, semitones (+2st), a percentage (-10%) or hertz (180Hz, +20Hz); null:
 * none.
 */
export function readPitch(text: string): PitchChange | null {
  const label = labelOf(PITCHES, text);
  if (label !== undefined) return { kind: 'semitones', value: label };
  const measure = measureOf(text);
  if (measure === null) return null;
  const { sign, value, unit } = measure;
  if (unit === 'st') return { kind: 'semitones', value };
  if (unit === 'hz') return { kind: sign === '' ? 'absolute-hertz' : 'hertz', value };
  if (unit !== '%' && unit !== '') return null;
  // Without a unit, 1.2 is a factor as of a rate, and +0.2 a change by it.
  const factor = unit === '%' ? value / 100 : value;
  const ratio = sign === '' ? factor : 1 + factor;
  return { kind: 'semitones', value: 12 * Math.log2(Math.max(0.1, ratio)) };
}

/**
 * Reads a volume as a factor of the amplitude: a label, decibels (-6dB), or of 100 as in SSML 1.0:
 * 50, 50%, and +10, +10% as changes. Null for anything else.
 */
export function readVolume(text: string): number | null {
  const label = labelOf(VOLUMES, text);
  if (label !== undefined) return gainOf(label);
  const measure = measureOf(text);
  if (measure === null) return null;
  const { sign, value, unit } = measure;
  if (unit === 'db') return gainOf(value);
  if (unit !== '%' && unit !== '') return null;
  return Math.max(0, sign === '' ? value / 100 : 1 + value / 100);
}

/** Reads the level of an emphasis as prosody; null for an unknown level. */
export function readEmphasis(level: string): Prosody | null {
  const name = level.trim().toLowerCase();
  const found = Object.hasOwn(EMPHASIS, name) ? EMPHASIS[name] : undefined;
  if (found === undefined) return null;
  const { rate, semitones, decibels } = found;
  const pitch: readonly PitchChange[] = semitones === 0 ? [] : [{ kind: 'semitones', value: semitones }];
  return { rate, gain: gainOf(decibels), pitch };
}

/** The prosody of an element within another. */
export function within(outer: Prosody, inner: Prosody): Prosody {
  return { rate: outer.rate * inner.rate, gain: outer.gain * inner.gain, pitch: [...outer.pitch, ...inner.pitch] };
}

/**
 * The semitones from the median pitch of a voice to its changed one, and whether they are a bound.
 */
export function pitchFor(pitch: readonly PitchChange[], voiceHz: number): { semitones: number; isBound: boolean } {
  let hz = voiceHz;
  let isBound = false;
  for (const { kind, value } of pitch) {
    if (kind === 'semitones') hz *= 2 ** (value / 12);
    else hz = kind === 'hertz' ? hz + value : value;
    isBound ||= hz < PITCH_HZ.min || hz > PITCH_HZ.max;
    hz = Math.min(PITCH_HZ.max, Math.max(PITCH_HZ.min, hz));
  }
  const unbound = 12 * Math.log2(hz / voiceHz);
  const semitones = Math.min(MAX_SEMITONES, Math.max(-MAX_SEMITONES, unbound));
  // Sums of changes are not exact: +6st in +6st is a little more than an octave.
  return { semitones, isBound: isBound || Math.abs(unbound - semitones) > 1e-6 };
}

/** The change of style for a voice with that median pitch; undefined: no change. */
export function styleOf({ rate, gain, pitch }: Prosody, voiceHz: number): StyleChange | undefined {
  const { semitones } = pitchFor(pitch, voiceHz);
  const isChanged = rate !== 1 || gain !== 1 || semitones !== 0;
  return isChanged ? { rate, semitones, gain: Math.min(MAX_GAIN, gain) } : undefined;
}
