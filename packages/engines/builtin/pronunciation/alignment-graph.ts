import type { Reading } from './syllable-sounds.ts';

/** A unit to align: its accepted readings, or null for a unit that matches any sound or silence. */
export type AlignedUnit = readonly Reading[] | null;

/** States of a text position: silence before it, an insertion before it, and the unit itself. */
export const BLANK = 0;
export const EXTRA_ONSET = 1;
export const EXTRA_RIME = 2;
export const ONSET = 3;
export const OTHER_ONSET = 4;
export const GAP = 5;
export const RIME = 6;
export const OTHER_RIME = 7;
export const EXTRA_GAP = 8;
export const STATES = 9;
