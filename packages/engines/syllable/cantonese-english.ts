import { englishSyllables, type Accent } from './english-syllables.ts';

/** ARPAbet phones as the nearest Cantonese sounds, as in Hong Kong's loan words (巴士). */
const ACCENT: Accent = {
  vowels: {
    AA: 'aa', AE: 'e', AH: 'aa', AO: 'o', AW: 'aau', AY: 'aai', EH: 'e', ER: 'oe', EY: 'ei',
    IH: 'i', IY: 'i', OW: 'ou', OY: 'oi', UH: 'u', UW: 'u',
  },
  onsets: {
    B: 'b', CH: 'c', D: 'd', DH: 'd', F: 'f', G: 'g', HH: 'h', JH: 'z', K: 'k', L: 'l', M: 'm', N: 'n', NG: 'ng',
    P: 'p', R: 'w', S: 's', SH: 's', T: 't', TH: 'f', V: 'w', W: 'w', Y: 'j', Z: 's', ZH: 's',
  },
  codas: { P: 'p', B: 'p', T: 't', D: 't', K: 'k', G: 'k', M: 'm', N: 'n', NG: 'ng' },
  finals: {
    S: 'si', Z: 'si', SH: 'syu', ZH: 'syu', CH: 'cyu', JH: 'zyu', F: 'fu', V: 'fu', TH: 'fu', DH: 'fu',
  },
  closed: {
    e: { n: 'en', t: 'et', p: 'ep', m: 'em', k: 'ek', ng: 'eng' },
    i: { n: 'in', t: 'it', p: 'ip', m: 'im', k: 'ik', ng: 'ing' },
    u: { n: 'un', t: 'ut', p: 'up', m: 'um', k: 'uk', ng: 'ung' },
    o: { n: 'on', t: 'ot', p: 'op', m: 'om', k: 'ok', ng: 'ong' },
    oe: { n: 'oeng', t: 'oet', k: 'oek', ng: 'oeng', p: 'oek', m: 'oeng' },
    aa: { n: 'aan', t: 'aat', p: 'aap', m: 'aam', k: 'aak', ng: 'aang' },
  },
  spell: (onset, rime) => `${onset}${rime}`,
  // Stressed syllables are high, the others mid, the last one after a stress falling low.
  tone(isStressed, isLast, base) {
    if (isStressed) return 1;
    return isLast && !/[ptk]$/.test(base) ? 4 : 3;
  },
}; // prettier-ignore

/** The Cantonese syllables nearest to the phones of an English word. */
export const cantoneseEnglish = (phones: readonly string[]) => englishSyllables(phones, ACCENT);
