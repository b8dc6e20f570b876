import { isVowel, parsePhones, type EnglishPhone } from './english-phones.ts';

/**
 * English as Hong Kong speakers say it, in syllables of Cantonese and in such that are made of its
 * sounds: aai before k (like), p before l (play). After T. Hung, "Towards a phonology of Hong Kong
 * English" (World Englishes 19, 2000), J. Setter, C. Wong, B. Chan, "Hong Kong English" (2010), and
 * loan words (巴士, 快勞, 波士).
 */
const VOWELS: Readonly<Record<string, string>> = {
  AA: 'o', AE: 'e', AH: 'aa', AO: 'o', AW: 'aau', AY: 'aai', EH: 'e', ER: 'oe', EY: 'ei',
  IH: 'i', IY: 'i', OW: 'ou', OY: 'oi', UH: 'u', UW: 'u',
}; // prettier-ignore
const ONSETS: Readonly<Record<string, string>> = {
  B: 'b', CH: 'c', D: 'd', DH: 'd', F: 'f', G: 'g', HH: 'h', JH: 'z', K: 'k', L: 'l', M: 'm', N: 'n', NG: 'ng',
  P: 'p', R: 'w', S: 's', SH: 's', T: 't', TH: 'f', V: 'w', W: 'w', Y: 'j', Z: 's', ZH: 's',
}; // prettier-ignore
const CODAS: Readonly<Record<string, string>> = {
  P: 'p',
  B: 'p',
  T: 't',
  D: 't',
  K: 'k',
  G: 'k',
  M: 'm',
  N: 'n',
  NG: 'ng',
};
/** Syllables that stand for a consonant after a vowel. */
const FINALS: Readonly<Record<string, string>> = {
  S: 'si', Z: 'si', SH: 'syu', ZH: 'syu', CH: 'cyu', JH: 'zyu', F: 'fu', V: 'fu', TH: 'fu', DH: 'fu',
}; // prettier-ignore
/** Rimes of vowels before a coda, where they differ from the vowel with the coda. */
const CLOSED: Readonly<Record<string, string>> = {
  eim: 'em', ein: 'en', eip: 'ep', eit: 'et', eik: 'ek', oeng: 'oeng', oen: 'eon', oet: 'eot', ouk: 'uk',
}; // prettier-ignore
/** Rimes of vowels before L, which becomes a vowel. Others get the syllable lou: 快勞 (file). */
const BEFORE_L: Readonly<Record<string, string>> = {
  e: 'eu', ei: 'eu', i: 'iu', u: 'u', iu: 'iu', o: 'o', ou: 'ou', aa: 'au',
}; // prettier-ignore
/** Pairs of consonants that begin a syllable, as they are said; Y is part of its vowel. */
const CLUSTERS: Readonly<Record<string, string>> = {
  'T R': 'c', 'D R': 'z', 'P R': 'p', 'B R': 'b', 'K R': 'kw', 'G R': 'gw', 'F R': 'f', 'TH R': 'f', 'SH R': 's',
  'P L': 'pl', 'B L': 'bl', 'K L': 'kl', 'G L': 'gl', 'F L': 'fl', 'S L': 'sl', 'K W': 'kw', 'G W': 'gw', 'T W': 'tw',
  'D W': 'dw', 'S W': 'sw', 'TH W': 'fw', 'HH W': 'w', 'S M': 'sm', 'S N': 'sn',
}; // prettier-ignore
/** Stops after S, which have no breath: 士多, 士巴拿. */
const AFTER_S: ReadonlyMap<string | undefined, string> = new Map([
  ['P', 'B'],
  ['T', 'D'],
  ['K', 'G'],
]);
const BEFORE_Y = new Set('P B M F V K G HH T D N L S TH'.split(' '));
/** Vowels that are short under stress, after which a single consonant also closes the syllable. */
const SHORT = new Set(['AE', 'EH', 'IH', 'AH', 'AA', 'UH']);

/** Names of letters that differ from their phones. */
export const LETTER_NAMES: Readonly<Record<string, readonly string[]>> = {
  A: ['ei1'],
  H: ['ik1', 'cyu4'],
  L: ['e1', 'lou4'],
  R: ['aa1', 'lou4'],
  X: ['ek1', 'si4'],
  Z: ['ji6', 'set1'],
};

type Base = { base: string; isStressed: boolean };

/** Returns the syllables of an English word with tones; not empty unless there are no phones. */
export function cantoneseEnglish(phones: readonly string[], spelling = ''): string[] {
  const parsed = parsePhones(phones);
  const vowels = parsed.flatMap((phone, index) => (isVowel(phone) ? [index] : []));
  const bases =
    vowels.length === 0
      ? parsed.map(({ name }) => ({ base: consonantAlone(name), isStressed: true }))
      : vowels.flatMap((at, index) => {
          const end = vowels[index + 1] ?? parsed.length;
          const consonants = parsed.slice(at + 1, end).map(({ name }) => name);
          const { coda, isShared } = splitConsonants(consonants, parsed[end], parsed[at]!);
          const from = index === 0 ? 0 : vowels[index - 1]! + 1;
          const before = parsed.slice(from, at).map(({ name }) => name);
          const onset = before.slice(index === 0 ? 0 : splitConsonants(before, parsed[at], parsed[from - 1]!).from);
          return syllablesOf({ onset, vowel: parsed[at]!, coda, isShared, isFirst: index === 0, spelling });
        });
  return bases.map(({ base, isStressed }, i) => `${base}${toneOf(isStressed, i === bases.length - 1 && i > 0, base)}`);
}

/** Stressed syllables are high, the others mid, the last one after a stress falling low. */
function toneOf(isStressed: boolean, isLast: boolean, base: string): number {
  if (isStressed) return 1;
  return isLast && !/[ptk]$/.test(base) ? 4 : 3;
}

function consonantAlone(name: string): string {
  if (name === 'M' || name === 'N' || name === 'NG') return name === 'M' ? 'm' : 'ng';
  return FINALS[name] ?? `${ONSETS[name] ?? ''}aa`;
}

/**
 * Splits the consonants between two vowels into the coda of the first, and the longest onset that
 * the second can have. `isShared`: the coda is also the onset, as in 曲奇 (cookie).
 */
function splitConsonants(names: readonly string[], next: EnglishPhone | undefined, vowel: EnglishPhone) {
  if (next === undefined) return { coda: names, from: names.length, isShared: false };
  let from = Math.max(0, names.length - 1);
  const isShort = SHORT.has(vowel.name) && (vowel.stress ?? 0) > 0;
  if (names.length >= 2 && isCluster(names.slice(-2), next) && !isDivided(names, isShort)) from -= 1;
  if (names.length >= 3 && from === names.length - 2 && names.at(-3) === 'S' && AFTER_S.has(names.at(-2))) from -= 1;
  if (names.at(-2) === 'S' && AFTER_S.has(names.at(-1))) from = names.length - 2;
  const [only] = names;
  if (names.length === 1 && isShort && /^[PTKMN]$/.test(only!) && next.stress === 0)
    return { coda: names, from: 0, isShared: true };
  return { coda: names.slice(0, from), from, isShared: false };
}

/** S before a sonorant belongs to the vowel before it, and so does a stop after a short vowel. */
function isDivided(names: readonly string[], isShort: boolean): boolean {
  const [first = '', second = ''] = names.slice(-2);
  return first === 'S' || (names.length === 2 && isShort && second === 'L' && first in CODAS);
}

function isCluster([first = '', second = '']: readonly string[], next: EnglishPhone): boolean {
  if (second === 'Y') return BEFORE_Y.has(first) && isAfterY(next);
  return `${first} ${second}` in CLUSTERS;
}

const isAfterY = ({ name }: EnglishPhone) => ['UW', 'UH', 'AH', 'ER'].includes(name);

type Parts = {
  onset: readonly string[];
  vowel: EnglishPhone;
  coda: readonly string[];
  isShared: boolean;
  isFirst: boolean;
  spelling: string;
};

function syllablesOf({ onset, vowel, coda, isShared, isFirst, spelling }: Parts): Base[] {
  const isStressed = (vowel.stress ?? 0) > 0;
  const { weak, start, hasY } = onsetOf(onset, vowel, isFirst);
  const hasO = /o/i.test(spelling);
  const isYod = hasY || (/^[tdn]$/.test(start) && vowel.name === 'UW' && !hasO);
  const open = isYod ? 'iu' : vowelOf(vowel, coda, hasO);
  const { rime, after } = rimeOf(open, coda, vowel, start !== '');
  return [
    ...weak.map((base) => ({ base, isStressed: false })),
    { base: `${start}${rime}`, isStressed },
    ...(isShared ? [] : after).map((base) => ({ base, isStressed: false })),
  ];
}

/** The vowel of the letter o in stop is another than that in car and father. */
function vowelOf({ name, stress }: EnglishPhone, coda: readonly string[], hasO: boolean): string {
  if (name === 'AA' && (!hasO || coda[0] === 'R')) return 'aa';
  if (name === 'ER' && stress === 0) return 'aa';
  return VOWELS[name]!;
}

/** Returns syllables for consonants before the onset, and the onset. */
function onsetOf(names: readonly string[], vowel: EnglishPhone, isFirst: boolean) {
  const weak: string[] = [];
  let rest = names;
  const hasY = rest.length > 1 && rest.at(-1) === 'Y' && isAfterY(vowel);
  if (hasY) rest = rest.slice(0, -1);
  if (rest[0] === 'S' && AFTER_S.has(rest[1])) {
    weak.push('si');
    // Before R, the stop and it are one sound, which keeps its breath.
    const stop = rest[2] === 'R' && rest[1] === 'T' ? rest[1] : AFTER_S.get(rest[1])!;
    rest = [stop, ...rest.slice(2)];
  }
  const cluster = rest.slice(-2).join(' ');
  const start = CLUSTERS[cluster] ?? consonantBefore(rest.at(-1), vowel, isFirst);
  const earlier = rest.slice(0, rest.length - (cluster in CLUSTERS ? 2 : 1));
  weak.push(...earlier.flatMap((name) => FINALS[name] ?? []));
  return { weak, start, hasY };
}

/** V is like W before a stress and at the beginning, otherwise like F. */
function consonantBefore(name: string | undefined, { stress }: EnglishPhone, isFirst: boolean): string {
  if (name === 'V' && stress === 0 && !isFirst) return 'f';
  return name === undefined ? '' : (ONSETS[name] ?? '');
}

/** Returns the rime of a vowel with its coda, and the syllables of the consonants after it. */
function rimeOf(open: string, coda: readonly string[], vowel: EnglishPhone, hasOnset: boolean) {
  const after: string[] = [];
  let rime = open;
  let closing: string | null = null;
  for (const consonant of coda) {
    const [stop, final] = [CODAS[consonant], FINALS[consonant]];
    const last = after.at(-1);
    if (consonant === 'L') {
      const withL = withVocalL(rime, vowel, coda);
      if (withL === null) after.push('lou');
      else rime = withL;
    } else if (consonant === 'R' && /^(?:IH|IY|UH|UW)$/.test(vowel.name)) after.push('aa');
    else if (final !== undefined && final !== last) after.push(final);
    else if (stop !== undefined && last === undefined) closing ??= stop;
    // After a consonant, T is left out as in most words: test, but task and world.
    else if (stop !== undefined && (last === 'lou' || (last === 'si' && stop !== 't')))
      after.push(`${after.pop()!}${stop}`);
  }
  if (closing !== null) rime = closedRime(rime, closing, { ...vowel, hasOnset }, coda);
  return { rime, after };
}

/** L after a vowel is a vowel, too; null where it is a syllable. */
function withVocalL(rime: string, { name, stress }: EnglishPhone, coda: readonly string[]): string | null {
  // In world it is silent, in girl a syllable.
  if (name === 'ER') return coda.length > 1 ? rime : null;
  return name === 'AH' && stress === 0 ? 'ou' : (BEFORE_L[rime] ?? null);
}

function closedRime(
  open: string,
  closing: string,
  { name, stress, hasOnset }: EnglishPhone & { hasOnset: boolean },
  coda: readonly string[],
): string {
  // Without an onset the vowel is longer: up, tired.
  if (open === 'aa' && hasOnset && (name === 'AH' || name === 'ER')) return `a${closing}`;
  // 風 is the usual word for a phone.
  if (open === 'ou' && closing === 'n' && coda.length === 1 && stress !== 0) return 'ung';
  return CLOSED[`${open}${closing}`] ?? `${open}${closing}`;
}
