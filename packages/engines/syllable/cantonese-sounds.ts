import { normalizeSyllable } from '@jyutsing/text/syllables/jyutping';
import { cantoneseEnglish, LETTER_NAMES } from './cantonese-english.ts';
import type { Manner, Sounds } from './sounds.ts';
import { syllableParts } from './syllable-parts.ts';

const MANNERS: Readonly<Record<string, Manner>> = {
  m: 'open', n: 'open', ng: 'open', l: 'open', w: 'open', j: 'open', '': 'open',
  b: 'plain-stop', d: 'plain-stop', g: 'plain-stop', gw: 'plain-stop',
  p: 'aspirated-stop', t: 'aspirated-stop', k: 'aspirated-stop', kw: 'aspirated-stop',
  z: 'affricate', c: 'affricate', s: 'fricative', f: 'fricative', h: 'fricative',
}; // prettier-ignore
const SPELLING = {
  name: 'jyutping',
  syllable: /^([gktdfs]w|[pbkgfs]l|s[mn]|ng(?=[aeiouy])|[bpmfdtnlgkhwzcsj](?=[aeiouymn]))?([a-z]+)([1-6])$/,
  manners: MANNERS,
  shortVowels: new Set(['am', 'an', 'ang', 'ing', 'ung', 'eon']),
};
const ONSET_MS: Readonly<Record<string, number>> = {
  b: 30, d: 30, g: 30, gw: 30, p: 50, t: 50, k: 60, kw: 65, z: 45, c: 80,
  s: 85, f: 75, h: 60, m: 60, n: 55, ng: 60, l: 50, w: 55, j: 55, '': 0,
}; // prettier-ignore
/** Share of its length that the second of two consonants has: class, swim. */
const SECOND_SHARE = 0.35;
const CLOSURE_MS: Readonly<Record<string, number>> = {
  b: 32, d: 30, g: 28, gw: 28, p: 36, t: 34, k: 32, kw: 32, z: 24, c: 26,
}; // prettier-ignore
const SHORT_VOWEL_SHARE = 0.3;
const VOWEL_SHARE = 0.72;
/** Rimes of English, made of a vowel and a nasal that is heard only if it is longer than others. */
const ENGLISH_NASALS = new Set(['en', 'om', 'um', 'oem', 'oen']);
const ENGLISH_VOWEL_SHARE = 0.5;
const WEAK = 'ge3 zo2 hai6 go3 di1 dou1 zau6 keoi5 nei5 ngo5 dei6 hai2 gam2 lei4 aa3 laa1 wo4 m4';

/** Rimes of English, which have a consonant after a diphthong. */
const LONG_RIMES = /^(?:aa?[iu]|[eo]i|[eio]u|ui)(?:ng|[ptkmn])$/;

const CONSONANTS = new Set(Object.keys(MANNERS));
const NEAR_ONSETS: Readonly<Record<string, readonly string[]>> = { n: ['l'], l: ['n'], ng: [''] };

/** Returns the onsets that are not heard before a rime. */
function nearNothing(rime: string): readonly string[] {
  if (/^(?:i|yu)/.test(rime)) return ['j'];
  return rime.startsWith('u') ? ['w'] : [];
}

/** The sounds of Cantonese, in jyutping. */
export const CANTONESE_SOUNDS: Sounds = {
  language: 'cantonese',
  middleHz: 150,
  loudness: { gainDb: 3.7, byOctaveDb: 1.75, byBrightness: 0 },
  toneDb: { 1: 0.8, 4: -1.2, 6: -0.5 },
  unvoicedGain: 0.85,
  // Syllables of people with a sonorant begin 7 dB below their loudest place and end 10 below it
  // (yue-sentences-dev); those of the recordings, joined and in a small room, 12 and 15.
  liftShare: 0.5,
  edgeFadeMs: 0,
  finalFadeMs: 110,
  english: {
    rimeShare: 1.2, codaShare: 1.2, closureShare: 1.6, noiseShare: 0.5,
    transitionShare: 1.5, keptShare: 0.7, stopMs: 60, riseMs: 60,
  },
  weak: new Set(WEAK.split(' ')),
  questionParticles: new Set('maa3 aa4 me1 ne1 ho2 waa2 haa2'.split(' ')),
  normalize: normalizeSyllable,
  partsOf: (label) => syllableParts(label, SPELLING),
  onsetMs: ({ onset }) => ONSET_MS[onset] ?? ONSET_MS[onset.charAt(0)]! + SECOND_SHARE * ONSET_MS[onset.slice(1)]!,
  closureMs: ({ onset }) => CLOSURE_MS[onset] ?? CLOSURE_MS[onset.charAt(0)] ?? 0,
  rimeMs({ rime, isChecked, isNasal, isSyllabic }) {
    if (LONG_RIMES.test(rime)) return 200;
    if (isChecked) return rime.startsWith('aa') ? 120 : 95;
    if (isSyllabic) return 145;
    return isNasal || rime.length > 2 || rime === 'aa' ? 185 : 160;
  },
  vowelShare: ({ hasShortVowel, rime }) =>
    hasShortVowel ? SHORT_VOWEL_SHARE : ENGLISH_NASALS.has(rime) ? ENGLISH_VOWEL_SHARE : VOWEL_SHARE,
  near: {
    onsets: (onset, rime) => NEAR_ONSETS[onset] ?? (onset === '' ? nearNothing(rime) : []),
    consonants: (onset) => (CONSONANTS.has(onset) ? [onset].filter(Boolean) : [...onset]),
    // Some word lists write a short vowel without a coda.
    rimes: { a: ['aa'] },
    // Tones whose recordings have a similar voice and length.
    tones: {
      1: [3, 2, 6, 5, 4], 2: [5, 3, 1, 6, 4], 3: [6, 1, 2, 5, 4],
      4: [6, 5, 3, 2, 1], 5: [2, 6, 4, 3, 1], 6: [3, 4, 5, 2, 1],
    },
    carriers: ({ isChecked }) => (isChecked ? ['aak', 'ik', 'uk', 'aa', 'i'] : ['aa', 'i', 'au', 'o']),
  },
  contour: () => null,
  englishSyllables: cantoneseEnglish,
  letterSyllables: (letter) => LETTER_NAMES[letter] ?? null,
}; // prettier-ignore
