import { PINYIN_SYLLABLES } from '@jyutsing/text/pronunciation/mandarin/pinyin-syllables';
import { mandarinEnglish } from './mandarin-english.ts';
import type { Manner, Sounds } from './sounds.ts';
import { syllableParts } from './syllable-parts.ts';

const NEUTRAL = 5;
const MANNERS: Readonly<Record<string, Manner>> = {
  m: 'open', n: 'open', l: 'open', r: 'open', y: 'open', w: 'open', '': 'open',
  b: 'plain-stop', d: 'plain-stop', g: 'plain-stop',
  p: 'aspirated-stop', t: 'aspirated-stop', k: 'aspirated-stop',
  z: 'affricate', zh: 'affricate', j: 'affricate', c: 'affricate', ch: 'affricate', q: 'affricate',
  s: 'fricative', sh: 'fricative', x: 'fricative', f: 'fricative', h: 'fricative',
}; // prettier-ignore
const SPELLING = {
  name: 'pinyin',
  syllable: /^(zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw](?=[aeiouv]))?([a-z]+)([1-5])$/,
  manners: MANNERS,
  shortVowels: new Set(['en', 'in', 'un', 'eng', 'ing', 'ong']),
};
const CLOSURE_MS: Readonly<Record<string, number>> = {
  b: 68, d: 65, g: 61, p: 68, t: 65, k: 61, z: 47, zh: 50, j: 47, c: 50, ch: 50, q: 50,
}; // prettier-ignore
const SHORT_VOWEL_SHARE = 0.33;
const VOWEL_SHARE = 0.55;
const WEAK = 'de5 le5 zhe5 ma5 ba5 ne5 a5 wo3 ni3 ta1 shi4 zai4 jiu4 dou1 ye3 hen3 bu4 bu2 he2 ba3 bei4';
/**
 * Share of the recorded third tone that is spoken before another syllable: it falls and stays low.
 */
const HALF_THIRD = 0.5;
/** Share that is spoken alone or at the end: it may rise again, but does so little in sentences. */
const FINAL_THIRD = 0.8;
/** Height of a neutral tone after each tone, semitones from the middle (Chao's 2, 3, 4 and 1). */
const NEUTRAL_TONES: Readonly<Record<number, { from: number; to: number }>> = {
  1: { from: 1, to: -3 },
  2: { from: 1, to: -2.5 },
  3: { from: -1, to: 0.5 },
  4: { from: -2, to: -4.5 },
  5: { from: -3, to: -5 },
};

const NEAR_ONSETS: Readonly<Record<string, readonly string[]>> = {
  z: ['zh', 'c'], zh: ['z', 'ch'], c: ['ch', 'z'], ch: ['c', 'zh'], s: ['sh', 'c'], sh: ['s', 'ch'],
  j: ['q', 'zh'], q: ['j', 'ch'], x: ['q', 'sh'], r: ['l', 'y'], l: ['n', 'r'], n: ['l'], b: ['p'], p: ['b'],
  d: ['t'], t: ['d'], g: ['k'], k: ['g'], f: ['h'], h: ['f', ''], m: ['n'], w: [''], y: [''], '': ['w', 'h'],
}; // prettier-ignore

/** The sounds of Mandarin, in pinyin with tones 1–5 and `v` for ü. */
export const MANDARIN_SOUNDS: Sounds = {
  language: 'mandarin',
  middleHz: 240,
  loudness: { gainDb: 6.9, byOctaveDb: 3.7, byBrightness: 0 },
  toneDb: { 1: 0.5, 3: -1, 5: -2 },
  unvoicedGain: 1,
  // There are no sentences of people to which these values could be fitted.
  liftShare: 0,
  edgeFadeMs: 12,
  // Recorded words fade by themselves.
  finalFadeMs: 30,
  english: {
    rimeShare: 1, codaShare: 1, closureShare: 1, noiseShare: 0, transitionShare: 1,
    keptShare: 1, stopMs: 15, riseMs: 0,
  },
  weak: new Set(WEAK.split(' ')),
  questionParticles: new Set('ma5 ne5 ba5 a5'.split(' ')),
  normalize(reading) {
    const base = reading.slice(0, -1);
    return /^[a-z]+[1-5]$/.test(reading) && PINYIN_SYLLABLES.has(base) ? reading : null;
  },
  partsOf: (label) => syllableParts(label, SPELLING),
  // Shorter onsets are misheard: fricatives as affricates, affricates as stops.
  onsetMs: () => null,
  closureMs: ({ onset }) => CLOSURE_MS[onset] ?? 0,
  rimeMs({ rime, isNasal, tone }) {
    const ms = isNasal || rime.length > 2 ? 213 : rime.length > 1 ? 201 : 178;
    return tone === NEUTRAL ? 0.7 * ms : ms;
  },
  vowelShare: ({ hasShortVowel }) => (hasShortVowel ? SHORT_VOWEL_SHARE : VOWEL_SHARE),
  near: {
    onsets: (onset) => NEAR_ONSETS[onset] ?? [],
    consonants: (onset) => (onset === '' ? [] : [onset]),
    rimes: {
      o: ['uo', 'ou'], uo: ['o'], ve: ['ue', 'ie'], ue: ['ve', 'ie'], eng: ['en', 'ong'], en: ['eng'], ing: ['in'],
      in: ['ing'], ang: ['an'], an: ['ang'], iong: ['ong'], ua: ['a'], uai: ['ai'], uang: ['ang', 'uan'], ei: ['ai'],
      ia: ['a'], v: ['u'], er: ['e'],
    },
    tones: { 1: [4, 2, 3, 5], 2: [3, 1, 4, 5], 3: [2, 4, 1, 5], 4: [1, 2, 3, 5], 5: [4, 1, 2, 3] },
    carriers: () => ['a', 'yi', 'ma', 'ba', 'ta'],
  },
  contour({ tone }, before, after) {
    if (tone === NEUTRAL && before !== null) return NEUTRAL_TONES[before.tone]!;
    if (tone === 3) return { upTo: after === null ? FINAL_THIRD : HALF_THIRD };
    return null;
  },
  englishSyllables: mandarinEnglish,
  letterSyllables: () => null,
}; // prettier-ignore
