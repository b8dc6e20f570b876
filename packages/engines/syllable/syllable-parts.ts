import { AppError } from '@jyutsing/contracts/errors';
import type { Manner, SyllableParts } from './sounds.ts';

/** How the syllables of a romanization are written. */
type Spelling = {
  name: string;
  /** Matches onset (or nothing), rime and tone. */
  syllable: RegExp;
  manners: Readonly<Record<string, Manner>>;
  /** Rimes with a vowel shorter than their nasal. */
  shortVowels: ReadonlySet<string>;
};

/** Throws `engine_failed` for what is not written so. */
export function syllableParts(label: string, { name, syllable, manners, shortVowels }: Spelling): SyllableParts {
  const [, onset = '', rime, tone] = syllable.exec(label) ?? [];
  if (rime === undefined) throw new AppError('engine_failed', `"${label}" is not a ${name} syllable.`);
  return {
    onset,
    manner: manners[onset]!,
    rime,
    tone: Number(tone),
    isChecked: /[ptk]$/.test(rime),
    isNasal: /[mng]$/.test(rime),
    hasShortVowel: shortVowels.has(rime),
    isSyllabic: rime === 'm' || rime === 'ng',
  };
}
