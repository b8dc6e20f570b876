import { parseSyllable } from './jyutping.ts';

/*
 * The International Phonetic Alphabet for jyutping, with tone letters, as the package to-jyutping
 * writes it; a test compares every syllable.
 */
const ONSETS: Readonly<Record<string, string>> = {
  gw: 'kʷ',
  kw: 'kʷʰ',
  ng: 'ŋ',
  b: 'p',
  p: 'pʰ',
  d: 't',
  t: 'tʰ',
  g: 'k',
  k: 'kʰ',
  z: 't͡s',
  c: 't͡sʰ',
};
const NUCLEI: readonly (readonly [RegExp, string])[] = [
  [/^ei$/, 'ei̯'],
  [/^ou$/, 'ou̯'],
  [/^eoi$/, 'ɵy̑'],
  [/^i(?=ng|k)/, 'e'],
  [/^u(?=ng|k)/, 'o'],
  [/^aa/, 'aː'],
  [/^a/, 'ɐ'],
  [/^oe/, 'œː'],
  [/^eo/, 'ɵ'],
  [/^yu/, 'yː'],
  [/^e/, 'ɛː'],
  [/^i/, 'iː'],
  [/^o/, 'ɔː'],
  [/^u/, 'uː'],
];
const CODAS: Readonly<Record<string, string>> = { i: 'i̯', u: 'u̯', ng: 'ŋ', p: 'p̚', t: 't̚', k: 'k̚' };
const SYLLABIC: Readonly<Record<string, string>> = { m: 'm̩', ng: 'ŋ̍' };
const TONES = ['˥', '˧˥', '˧', '˨˩', '˩˧', '˨'] as const;

/** The pronunciation of a syllable: `nei5` is nei̯˩˧. A text that is no syllable is returned. */
export function jyutpingToIpa(text: string): string {
  const syllable = parseSyllable(text);
  if (syllable === null) return text;
  const { onset, rime, tone } = syllable;
  return (ONSETS[onset] ?? onset) + rimeToIpa(rime) + (TONES[tone - 1] ?? '');
}

function rimeToIpa(rime: string): string {
  const syllabic = SYLLABIC[rime];
  if (syllabic !== undefined) return syllabic;
  for (const [pattern, ipa] of NUCLEI) {
    const nucleus = pattern.exec(rime)?.[0];
    if (nucleus === undefined) continue;
    const coda = rime.slice(nucleus.length);
    return ipa + (CODAS[coda] ?? coda);
  }
  return rime;
}
