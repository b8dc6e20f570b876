import { jyutpingToIPA } from 'to-jyutping';
import { expect, it } from 'vitest';
import { JYUTPING_ONSETS, JYUTPING_RIMES, isSyllable } from './jyutping.ts';
import { jyutpingToIpa } from './jyutping-ipa.ts';

it('writes every syllable as to-jyutping does', () => {
  const syllables = ['', ...JYUTPING_ONSETS].flatMap((onset) =>
    JYUTPING_RIMES.flatMap((rime) => [1, 2, 3, 4, 5, 6].map((tone) => `${onset}${rime}${tone}`)),
  );
  const valid = syllables.filter(isSyllable);
  expect(valid.length).toBeGreaterThan(6_000);
  expect(valid.filter((syllable) => jyutpingToIpa(syllable) !== jyutpingToIPA(syllable))).toEqual([]);
});
