/** English vowels (ARPAbet) as the nearest Cantonese rime, open and before a coda. */
const VOWELS: Readonly<Record<string, string>> = {
  AA: 'aa', AE: 'e', AH: 'aa', AO: 'o', AW: 'aau', AY: 'aai', EH: 'e', ER: 'oe', EY: 'ei',
  IH: 'i', IY: 'i', OW: 'ou', OY: 'oi', UH: 'u', UW: 'u',
}; // prettier-ignore
const ONSETS: Readonly<Record<string, string>> = {
  B: 'b', CH: 'c', D: 'd', DH: 'd', F: 'f', G: 'g', HH: 'h', JH: 'z', K: 'k', L: 'l', M: 'm', N: 'n', NG: 'ng',
  P: 'p', R: 'w', S: 's', SH: 's', T: 't', TH: 'f', V: 'w', W: 'w', Y: 'j', Z: 's', ZH: 's',
}; // prettier-ignore
const CODAS: Readonly<Record<string, string>> = {
  P: 'p', B: 'p', T: 't', D: 't', K: 'k', G: 'k', M: 'm', N: 'n', NG: 'ng',
}; // prettier-ignore
/** Fricatives after a vowel become a syllable of their own, as in Hong Kong's loan words (巴士). */
const FINAL_SYLLABLES: Readonly<Record<string, string>> = {
  S: 'si', Z: 'si', SH: 'syu', ZH: 'syu', CH: 'cyu', JH: 'zyu', F: 'fu', V: 'fu', TH: 'fu', DH: 'fu', L: 'u',
}; // prettier-ignore
/** Rimes that exist with a coda for a vowel. */
const CLOSED_VOWELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  e: { n: 'en', t: 'et', p: 'ep', m: 'em', k: 'ek', ng: 'eng' },
  i: { n: 'in', t: 'it', p: 'ip', m: 'im', k: 'ik', ng: 'ing' },
  u: { n: 'un', t: 'ut', p: 'up', m: 'um', k: 'uk', ng: 'ung' },
  o: { n: 'on', t: 'ot', p: 'op', m: 'om', k: 'ok', ng: 'ong' },
  oe: { n: 'oeng', t: 'oet', k: 'oek', ng: 'oeng', p: 'oek', m: 'oeng' },
  aa: { n: 'aan', t: 'aat', p: 'aap', m: 'aam', k: 'aak', ng: 'aang' },
};

type Phone = { name: string; stress: number | null };

/**
 * The Cantonese syllables nearest to the phones of an English word, as Hong Kong speakers say loan
 * words: stressed syllables high, the others mid, the last one after a stress falling low.
 */
export function englishSyllables(phones: readonly string[]): string[] {
  const parsed = phones.map(parsePhone);
  const bases: { base: string; isStressed: boolean }[] = [];
  let onset = '';
  for (let i = 0; i < parsed.length; i += 1) {
    const { name, stress } = parsed[i]!;
    const vowel = VOWELS[name];
    if (vowel === undefined) {
      const next = parsed[i + 1];
      // Of two consonants before a vowel, the first becomes a weak syllable unless R or L follows.
      if (next !== undefined && next.stress !== null) onset = withGlide(onset, name);
      else if (next !== undefined && (next.name === 'R' || next.name === 'L')) onset = ONSETS[name] ?? '';
      else if (FINAL_SYLLABLES[name] !== undefined && name !== 'L')
        bases.push({ base: FINAL_SYLLABLES[name], isStressed: false });
      continue;
    }
    const [coda, used] = codaAfter(parsed, i);
    const rime = coda === null ? vowel : (CLOSED_VOWELS[vowel]?.[coda] ?? vowel);
    bases.push({ base: `${onset}${rime}`, isStressed: (stress ?? 0) > 0 });
    onset = '';
    i += used;
  }
  return bases.map(({ base, isStressed }, i) => `${base}${toneOf(isStressed, i === bases.length - 1 && i > 0, base)}`);
}

function parsePhone(phone: string): Phone {
  const stress = /\d$/.exec(phone)?.[0];
  return { name: phone.replace(/\d$/, ''), stress: stress === undefined ? null : Number(stress) };
}

/** R and L after another consonant are not spoken before a vowel. */
function withGlide(onset: string, name: string): string {
  if ((name === 'R' || name === 'L') && onset !== '') return onset;
  return ONSETS[name] ?? '';
}

/** The coda of the vowel at `i` when no vowel follows it, and how many phones it takes. */
function codaAfter(phones: readonly Phone[], i: number): [coda: string | null, used: number] {
  const [next, afterNext] = [phones[i + 1], phones[i + 2]];
  if (next === undefined || next.stress !== null) return [null, 0];
  const coda = CODAS[next.name];
  if (coda === undefined || (afterNext !== undefined && afterNext.stress !== null)) return [null, 0];
  return [coda, 1];
}

function toneOf(isStressed: boolean, isLast: boolean, base: string): number {
  if (isStressed) return 1;
  if (/[ptk]$/.test(base)) return 3;
  return isLast ? 4 : 3;
}
