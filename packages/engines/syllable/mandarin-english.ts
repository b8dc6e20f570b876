import { PINYIN_SYLLABLES } from '@jyutsing/text/pronunciation/mandarin/pinyin-syllables';
import { englishSyllables, type Accent } from './english-syllables.ts';

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

/** The Mandarin syllables nearest to the phones of an English word. */
export const mandarinEnglish = (phones: readonly string[]) => englishSyllables(phones, ACCENT);
