import {
  formatSyllable,
  JYUTPING_ONSETS,
  JYUTPING_RIMES,
  parseSyllable,
  PRONUNCIATION_VARIANTS,
  type JyutpingSyllable,
} from './jyutping.ts';

/** Weights of onset and rime, 1 together: the rime is the longer and louder part of a syllable. */
const ONSET_SHARE = 0.45;
const NUCLEUS_SHARE = 0.35;
const CODA_SHARE = 0.2;
/** The fraction of a weight that remains if two sounds differ but are confusable. */
const AKIN = 0.4;

const groups = (text: string): readonly ReadonlySet<string>[] =>
  text.split(', ').map((group) => new Set(group.split(' ')));
/**
 * Onsets with one place of articulation, similar fricatives and glides, and Hong Kong's mergers.
 */
const ONSETS_AKIN = groups('b p, d t, g k gw kw, z c s, f h w, n l, m n ng, j z');
const NUCLEI_AKIN = groups('aa a, e i, o u, oe eo, yu i');
/**
 * Codas that are confusable: two places with the same manner, both manners of one place, and weak
 * glides.
 */
const CODAS_AKIN = groups('m n ng, p t k, m p, n t, ng k, i , u ');

/** Distances for all pairs of sounds, by number: this runs millions of times. */
type Differences = { numbers: Map<string, number>; costs: Float64Array };

function differences(parts: readonly string[], share: number, akin: readonly ReadonlySet<string>[]): Differences {
  const numbers = new Map([...new Set(parts)].map((part, number) => [part, number]));
  const names = [...numbers.keys()];
  const costs = names.flatMap((a) =>
    names.map((b) => (a === b ? 0 : akin.some((group) => group.has(a) && group.has(b)) ? share * AKIN : share)),
  );
  return { numbers, costs: Float64Array.from(costs) };
}

const RIME_PARTS = JYUTPING_RIMES.map(partsOf);
const ONSETS = differences(['', ...JYUTPING_ONSETS], ONSET_SHARE, ONSETS_AKIN);
const NUCLEI = differences(
  RIME_PARTS.map(({ nucleus }) => nucleus),
  NUCLEUS_SHARE,
  NUCLEI_AKIN,
);
const CODAS = differences(
  RIME_PARTS.map(({ coda }) => coda),
  CODA_SHARE,
  CODAS_AKIN,
);

/** A syllable as numbers of its sounds, after Hong Kong's mergers; null if it is no jyutping. */
type Sounds = { onset: number; nucleus: number; coda: number; folded: string };

const soundCache = new Map<string, Sounds | null>();
/** There are some 2,000 syllables with tones; any other text is invalid input. */
const MAX_CACHED_SYLLABLES = 8_000;

function soundsOf(syllable: string): Sounds | null {
  const remembered = soundCache.get(syllable);
  if (remembered !== undefined) return remembered;
  const parsed = parseSyllable(syllable);
  const sounds = parsed === null ? null : soundsOfSyllable(representativeOf(parsed));
  if (soundCache.size < MAX_CACHED_SYLLABLES) soundCache.set(syllable, sounds);
  return sounds;
}

/** Chooses the pronunciation that stands for all equivalent ones. */
function representativeOf(syllable: JyutpingSyllable): JyutpingSyllable {
  const found = new Map([[formatSyllable(syllable), syllable]]);
  for (const pronunciation of found.values()) {
    for (const variant of PRONUNCIATION_VARIANTS) {
      for (const other of variant.apply(pronunciation)) found.set(formatSyllable(other), other);
    }
  }
  return found.get([...found.keys()].toSorted()[0] ?? '') ?? syllable;
}

function soundsOfSyllable(syllable: JyutpingSyllable): Sounds {
  const { nucleus, coda } = partsOf(syllable.rime);
  return {
    onset: ONSETS.numbers.get(syllable.onset) ?? 0,
    nucleus: NUCLEI.numbers.get(nucleus) ?? 0,
    coda: CODAS.numbers.get(coda) ?? 0,
    folded: formatSyllable(syllable),
  };
}

function partsOf(rime: string): { nucleus: string; coda: string } {
  const [, nucleus = '', coda = ''] = /^(aa|yu|oe|eo|[aeiou]|)(.*)$/.exec(rime) ?? [];
  return { nucleus, coda };
}

/**
 * Whether two jyutping syllables are equal, including tone, after Hong Kong's mergers
 * (`PRONUNCIATION_VARIANTS`).
 */
export function isSameSyllable(a: string, b: string): boolean {
  const sounds = soundsOf(a);
  return sounds !== null && sounds.folded === soundsOf(b)?.folded;
}

/** Whether two jyutping syllables have the same tone. */
export function isSameTone(a: string, b: string): boolean {
  return a.at(-1) === b.at(-1);
}

/**
 * The distance of two jyutping syllables by sound, without tone: 0 if equal (after Hong Kong's
 * mergers), 0.45 if only the onset differs, 0.55 if only the rime differs, 1 if nothing is shared
 * or one is no syllable. Confusable sounds (same place of articulation, vowel length, -n and -ng)
 * count less than half.
 */
export function soundDistance(a: string, b: string): number {
  const one = soundsOf(a);
  const other = soundsOf(b);
  if (one === null || other === null) return 1;
  return (
    costOf(ONSETS, one.onset, other.onset) +
    costOf(NUCLEI, one.nucleus, other.nucleus) +
    costOf(CODAS, one.coda, other.coda)
  );
}

function costOf({ numbers, costs }: Differences, a: number, b: number): number {
  return costs[a * numbers.size + b] ?? 1;
}
