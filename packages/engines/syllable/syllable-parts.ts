import { AppError } from '@jyutsing/contracts/errors';
import type { Manner, SyllableParts } from './sounds.ts';

/** Spelling rules of a romanization. */
type Spelling = {
  name: string;
  /** Matches onset (possibly empty), rime and tone. */
  syllable: RegExp;
  manners: Readonly<Record<string, Manner>>;
  /** Rimes with a vowel shorter than their nasal. */
  shortVowels: ReadonlySet<string>;
};

/** Splits a syllable. Throws `engine_failed` when it is not spelled by these rules. */
export function syllableParts(label: string, { name, syllable, manners, shortVowels }: Spelling): SyllableParts {
  const [, onset = '', rime, tone] = syllable.exec(label) ?? [];
  if (rime === undefined) throw new AppError('engine_failed', `"${label}" is not a ${name} syllable.`);
  return {
    onset,
    // A cluster begins like its first consonant.
    manner: manners[onset] ?? manners[onset.charAt(0)]!,
    rime,
    tone: Number(tone),
    isChecked: /[ptk]$/.test(rime),
    isNasal: /[mng]$/.test(rime),
    hasShortVowel: shortVowels.has(rime),
    isSyllabic: rime === 'm' || rime === 'ng',
  };
}
