import { PINYIN_SYLLABLES } from '@jyutsing/text/pronunciation/mandarin/pinyin-syllables';
import { parsePhones, type EnglishPhone } from './english-phones.ts';

/** Rules for saying English phones (ARPAbet) with the syllables of Mandarin. */
type Accent = {
  /** Nearest rime of each vowel. */
  vowels: Readonly<Record<string, string>>;
  onsets: Readonly<Record<string, string>>;
  codas: Readonly<Record<string, string>>;
  /** Syllables that stand for consonants after a vowel. */
  finals: Readonly<Record<string, string>>;
  /** Rimes for a vowel with a coda, where the language has one. */
  closed: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Spells the syllable of an onset and a rime. */
  spell(onset: string, rime: string): string;
  tone(isStressed: boolean, isLast: boolean, base: string): number;
};

/** Mandarin syllables have no final stops, so those get a vowel, as in loan words. */
const ACCENT: Accent = {
  vowels: {
    AA: 'a', AE: 'ai', AH: 'a', AO: 'ao', AW: 'ao', AY: 'ai', EH: 'ai', ER: 'e', EY: 'ei',
    IH: 'i', IY: 'i', OW: 'ou', OY: 'uo', UH: 'u', UW: 'u',
  },
  onsets: {
    B: 'b', CH: 'q', D: 'd', DH: 'd', F: 'f', G: 'g', HH: 'h', JH: 'j', K: 'k', L: 'l', M: 'm', N: 'n', NG: 'n',
    P: 'p', R: 'r', S: 's', SH: 'x', T: 't', TH: 's', V: 'w', W: 'w', Y: 'y', Z: 'z', ZH: 'r',
  },
  codas: { M: 'n', N: 'n', NG: 'ng' },
  finals: {
    P: 'pu', B: 'bu', T: 'te', D: 'de', K: 'ke', G: 'ge', S: 'si', Z: 'si', SH: 'shi', ZH: 'shi', CH: 'qi',
    JH: 'ji', F: 'fu', V: 'fu', TH: 'si', DH: 'de', L: 'er', R: 'er',
  },
  closed: {
    a: { n: 'an', ng: 'ang' }, ai: { n: 'an', ng: 'ang' }, ao: { n: 'ang', ng: 'ang' }, e: { n: 'en', ng: 'eng' },
    ei: { n: 'en', ng: 'eng' }, i: { n: 'in', ng: 'ing' }, ou: { n: 'ong', ng: 'ong' }, u: { n: 'un', ng: 'ong' },
    uo: { n: 'ong', ng: 'ong' },
  },
  spell,
  // Stressed syllables are high, the others low and falling.
  tone: (isStressed) => (isStressed ? 1 : 4),
}; // prettier-ignore

/** Rimes to use for one that does not combine with an onset. */
const OTHER_RIMES: Readonly<Record<string, readonly string[]>> = {
  i: ['ei', 'ui', 'e'], in: ['en', 'un'], ing: ['eng', 'ong'], a: ['ia', 'ua'], an: ['ian'], ang: ['iang'],
  ai: ['ei', 'ie'], ao: ['iao'], ei: ['i', 'ie', 'ui', 'ai'], en: ['in'], eng: ['ing'], e: ['ue', 'o', 'ie'],
  ou: ['o', 'iu', 'uo'], u: ['o', 'uo', 'iu'], un: ['en'], ong: ['eng', 'iong'], uo: ['o', 'ou'],
}; // prettier-ignore
const WITHOUT_ONSET: Readonly<Record<string, string>> = {
  i: 'yi', in: 'yin', ing: 'ying', u: 'wu', un: 'wen', ong: 'weng', uo: 'wo',
}; // prettier-ignore

function spell(onset: string, rime: string): string {
  if (onset === '') return WITHOUT_ONSET[rime] ?? rime;
  const near = [rime, ...(OTHER_RIMES[rime] ?? []), 'a', 'e', 'i'];
  return `${onset}${near.find((candidate) => PINYIN_SYLLABLES.has(`${onset}${candidate}`))!}`;
}

/** Returns the Mandarin syllables nearest to the phones of an English word. */
export function mandarinEnglish(phones: readonly string[]): string[] {
  const parsed = parsePhones(phones);
  const bases: { base: string; isStressed: boolean }[] = [];
  let onset = '';
  for (let i = 0; i < parsed.length; i += 1) {
    const { name, stress } = parsed[i]!;
    const vowel = ACCENT.vowels[name];
    if (vowel === undefined) {
      const next = parsed[i + 1];
      // The first of two consonants before a vowel becomes a weak syllable unless R or L follows.
      if (next !== undefined && next.stress !== null) onset = withGlide(onset, name);
      else if (next !== undefined && (next.name === 'R' || next.name === 'L')) onset = ACCENT.onsets[name] ?? '';
      else if (ACCENT.finals[name] !== undefined) bases.push({ base: ACCENT.finals[name], isStressed: false });
      continue;
    }
    const [coda, usedPhones] = codaAfter(parsed, i);
    const rime = coda === null ? vowel : (ACCENT.closed[vowel]?.[coda] ?? vowel);
    bases.push({ base: ACCENT.spell(onset, rime), isStressed: (stress ?? 0) > 0 });
    onset = '';
    i += usedPhones;
  }
  return bases.map(
    ({ base, isStressed }, i) => `${base}${ACCENT.tone(isStressed, i === bases.length - 1 && i > 0, base)}`,
  );
}

/** R and L after another consonant are not spoken before a vowel. */
function withGlide(onset: string, name: string): string {
  if ((name === 'R' || name === 'L') && onset !== '') return onset;
  return ACCENT.onsets[name] ?? '';
}

/**
 * Returns the coda of the vowel at `i` when no vowel follows it, and the number of phones that it
 * takes.
 */
function codaAfter(phones: readonly EnglishPhone[], i: number): [coda: string | null, used: number] {
  const [next, afterNext] = [phones[i + 1], phones[i + 2]];
  if (next === undefined || next.stress !== null) return [null, 0];
  const coda = ACCENT.codas[next.name];
  if (coda === undefined || (afterNext !== undefined && afterNext.stress !== null)) return [null, 0];
  return [coda, 1];
}
