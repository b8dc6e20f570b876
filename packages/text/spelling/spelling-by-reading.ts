/**
 * Characters that recognizers confuse where the recognized syllable decides. Includes lazy onsets
 * and both tones of a word; syllables that fit several characters are not listed.
 */
const BY_READING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  系: { hai2: '喺', hai6: '係' },
  係: { hai2: '喺' },
  咁: { gam2: '噉', gam3: '咁' },
  噉: { gam2: '噉', gam3: '咁' },
  既: { ge3: '嘅', ge2: '嘅' },
  果: { go2: '嗰' },
  个: { go2: '嗰' },
  個: { go2: '嗰' },
  来: { lei4: '嚟', lai4: '嚟' },
  來: { lei4: '嚟', lai4: '嚟' },
  黎: { lei4: '嚟' },
  架: { gaa4: '㗎' },
  只: { zek3: '隻', zi2: '只' },
  重: { cung5: '重', cung4: '重' },
  钟: { zung1: '鐘' },
};

/** By the written character and its reading: `系 hai2`. */
const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries(BY_READING).flatMap(([written, readings]) =>
    Object.entries(readings).map(([reading, intended]) => [`${written} ${reading}`, intended] as const),
  ),
);

/**
 * The character that `written` stands for when `reading` (jyutping) was recognized; null if the
 * reading does not decide.
 */
export function spellingByReading(written: string, reading: string | null): string | null {
  return reading === null ? null : (MEANT.get(`${written} ${reading}`) ?? null);
}
