import type { SourcePhone, SourceSpeech, SourceVoice, SourceWord } from './espeak-driver.ts';
import type { SourceCall, SourceItem } from './source-text.ts';

/** Kinds of sound parts, which differ in how they stretch. */
export type PartKind = 'closure' | 'stop' | 'fricative' | 'sonorant' | 'transition' | 'vowel';
/** A stretch of the source, in milliseconds of the source. */
export type SourcePart = { kind: PartKind; isVoiceless: boolean; startMs: number; endMs: number };

/** One syllable of espeak-ng's output. */
export type SourceSyllable = {
  voice: SourceVoice;
  /** The item of the text; the syllables of an English word share one item. */
  item: SourceItem;
  stress: 0 | 1 | 2;
  isWordStart: boolean;
  isWordEnd: boolean;
  /** Parts in order, without gaps; there is at least one. */
  parts: SourcePart[];
  /** Index in `parts` of the part that carries the tone. */
  nucleus: number;
};

/** Finds the syllables of the items of a call, without its context. Skips items without sound. */
export function findSyllables({ words }: SourceSpeech, { voice, items }: SourceCall): SourceSyllable[] {
  const syllables: SourceSyllable[] = [];
  for (const item of items) {
    // Abbreviations and numbers are several words to espeak-ng.
    const spoken = words.filter(({ at }) => at >= item.from && at < item.to).filter(({ phones }) => phones.length > 0);
    if (spoken.length === 0) continue;
    const itemSyllables = spoken.flatMap((word) =>
      voice === 'en' ? splitWord(word, item) : [wholeWord(word, item, voice)],
    );
    itemSyllables.forEach((syllable, at) => {
      syllable.isWordStart = item.isWordStart && at === 0;
      syllable.isWordEnd = item.isWordEnd && at === itemSyllables.length - 1;
    });
    syllables.push(...itemSyllables);
  }
  return syllables;
}

function wholeWord(word: SourceWord, item: SourceItem, voice: SourceVoice): SourceSyllable {
  const phones = item.isOnlyCoda ? word.phones.slice(-1) : word.phones;
  const startMs = item.isOnlyCoda ? phones[0]!.startMs : word.startMs;
  return syllableOf(phones, startMs, item, voice);
}

/**
 * Splits an English word: a consonant between two vowels begins the second one's syllable, with a
 * stop before it where both can begin one.
 */
function splitWord(word: SourceWord, item: SourceItem): SourceSyllable[] {
  const { phones } = word;
  const nuclei = phones.flatMap((phone, index) => (kindOf(phone.name, 'en') === 'vowel' ? [index] : []));
  if (nuclei.length < 2) return [syllableOf(phones, word.startMs, item, 'en')];
  const starts = nuclei.map((nucleus, n) => {
    if (n === 0) return 0;
    const before = nuclei[n - 1]!;
    const isCluster = nucleus - before > 2 && BLENDS.test(`${phones[nucleus - 2]!.name} ${phones[nucleus - 1]!.name}`);
    return nucleus - before === 1 ? nucleus : nucleus - (isCluster ? 2 : 1);
  });
  return starts.map((start, n) =>
    syllableOf(phones.slice(start, starts[n + 1]), n === 0 ? word.startMs : phones[start]!.startMs, item, 'en'),
  );
}

/** Pairs of consonants that begin English syllables. */
const BLENDS = /^(?:[pbkɡf] [lɹr]|[td] [ɹr]|[θ] [ɹr]|[td kɡ] w|s [ptkmnlw]|[pbkmvf] j)$/;

function syllableOf(
  phones: readonly SourcePhone[],
  startMs: number,
  item: SourceItem,
  voice: SourceVoice,
): SourceSyllable {
  const parts: SourcePart[] = [];
  const first = phones[0]!;
  if (first.startMs - startMs > 0) {
    parts.push({ kind: 'closure', isVoiceless: isVoiceless(first.name, voice), startMs, endMs: first.startMs });
  }
  for (const phone of phones) parts.push(...partsOf(phone, voice));
  if (parts.length === 0) parts.push({ kind: 'sonorant', isVoiceless: false, startMs, endMs: startMs + 1 });
  const vowel = parts.findIndex(({ kind }) => kind === 'transition' || kind === 'vowel');
  const sonorant = parts.findIndex(({ kind }) => kind === 'sonorant');
  return {
    voice,
    item,
    stress: phones.some(({ stress }) => stress === 1) ? 1 : phones.some(({ stress }) => stress === 2) ? 2 : 0,
    isWordStart: true,
    isWordEnd: true,
    parts,
    nucleus: vowel >= 0 ? vowel : Math.max(0, sonorant),
  };
}

/**
 * Duration in milliseconds of a stop or affricate before its noise; it identifies the stop and
 * hardly changes with the tempo.
 */
const CLOSURE_MS = 45;
/** Duration in milliseconds of the formant transition from a consonant, for any vowel length. */
const TRANSITION_MS = 35;

function partsOf({ name, startMs, endMs }: SourcePhone, voice: SourceVoice): SourcePart[] {
  if (endMs <= startMs) return [];
  const kind = kindOf(name, voice);
  const part = { kind, isVoiceless: isVoiceless(name, voice), startMs, endMs };
  const firstMs = kind === 'stop' ? CLOSURE_MS : kind === 'vowel' ? TRANSITION_MS : Infinity;
  if (endMs - startMs < firstMs * 1.5) return [part];
  const middleMs = startMs + firstMs;
  const [first, second]: PartKind[] = kind === 'stop' ? ['stop', 'fricative'] : ['transition', 'vowel'];
  return [
    { ...part, kind: first!, endMs: middleMs },
    { ...part, kind: second!, startMs: middleMs },
  ];
}

const VOWELS = /^[aeiouyɐɑɒæɔəɚɛɜɪʊʌᵻøœ]/;
const SYLLABIC = /̩$/;
const SONORANTS = /^(?:[mnŋlɹrjwɾɥ]|ŋ-)$/;
const FRICATIVES = /^(?:[fsʃθðvʒχhɕʐ]|s\.|z)$/;

function kindOf(name: string, voice: SourceVoice): PartKind {
  // The names of the Cantonese voice are those of jyutping: z and c are affricates, which begin
  // like stops.
  if (voice === 'yue' && name === 'z') return 'stop';
  if (VOWELS.test(name) || SYLLABIC.test(name)) return 'vowel';
  if (SONORANTS.test(name)) return 'sonorant';
  return FRICATIVES.test(name) ? 'fricative' : 'stop';
}

const VOICED = /^(?:[bdɡvðzʒʐ]|dʒ)$/;

function isVoiceless(name: string, voice: SourceVoice): boolean {
  const kind = kindOf(name, voice);
  if (kind === 'vowel' || kind === 'sonorant') return false;
  // The only voiced obstruent of Cantonese or Mandarin is the r of pinyin, whatever the letters
  // suggest.
  return voice === 'en' ? !VOICED.test(name) : name !== 'ʐ';
}
