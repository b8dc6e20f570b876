/** Rules for saying English phones (ARPAbet) with the syllables of another language. */
export type Accent = {
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

type Phone = { name: string; stress: number | null };

/** Returns the syllables nearest to the phones of an English word, with tones. */
export function englishSyllables(phones: readonly string[], accent: Accent): string[] {
  const parsed = phones.map(parsePhone);
  const bases: { base: string; isStressed: boolean }[] = [];
  let onset = '';
  for (let i = 0; i < parsed.length; i += 1) {
    const { name, stress } = parsed[i]!;
    const vowel = accent.vowels[name];
    if (vowel === undefined) {
      const next = parsed[i + 1];
      // The first of two consonants before a vowel becomes a weak syllable unless R or L follows.
      if (next !== undefined && next.stress !== null) onset = withGlide(onset, name, accent);
      else if (next !== undefined && (next.name === 'R' || next.name === 'L')) onset = accent.onsets[name] ?? '';
      else if (accent.finals[name] !== undefined) bases.push({ base: accent.finals[name], isStressed: false });
      continue;
    }
    const [coda, usedPhones] = codaAfter(parsed, i, accent);
    const rime = coda === null ? vowel : (accent.closed[vowel]?.[coda] ?? vowel);
    bases.push({ base: accent.spell(onset, rime), isStressed: (stress ?? 0) > 0 });
    onset = '';
    i += usedPhones;
  }
  return bases.map(
    ({ base, isStressed }, i) => `${base}${accent.tone(isStressed, i === bases.length - 1 && i > 0, base)}`,
  );
}

function parsePhone(phone: string): Phone {
  const stress = /\d$/.exec(phone)?.[0];
  return { name: phone.replace(/\d$/, ''), stress: stress === undefined ? null : Number(stress) };
}

/** R and L after another consonant are not spoken before a vowel. */
function withGlide(onset: string, name: string, { onsets }: Accent): string {
  if ((name === 'R' || name === 'L') && onset !== '') return onset;
  return onsets[name] ?? '';
}

/**
 * Returns the coda of the vowel at `i` when no vowel follows it, and the number of phones that it
 * takes.
 */
function codaAfter(phones: readonly Phone[], i: number, { codas }: Accent): [coda: string | null, used: number] {
  const [next, afterNext] = [phones[i + 1], phones[i + 2]];
  if (next === undefined || next.stress !== null) return [null, 0];
  const coda = codas[next.name];
  if (coda === undefined || (afterNext !== undefined && afterNext.stress !== null)) return [null, 0];
  return [coda, 1];
}
