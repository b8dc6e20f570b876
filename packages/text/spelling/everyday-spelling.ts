import type { Segment } from '@jyutsing/contracts/transcript';

/**
 * Spellings that tell words apart by their sound, and what most people in Hong Kong type for them:
 * 咁 for 噉 (gam2), 呀 for 啊 after a word, 下 for 吓 after a verb.
 */
const EVERYDAY: readonly (readonly [pattern: RegExp, written: string])[] = [
  [/噉/gu, '咁'],
  [/(?<=\p{Script=Han})啊/gu, '呀'],
  [/(?<=\p{Script=Han})吓|吓(?=吓)/gu, '下'],
];

/**
 * Writes a Cantonese segment in everyday spelling. Every character gives one, so that times stay.
 */
export function spellEveryday(segment: Segment): Segment {
  const text = spell(segment.text);
  // A word of one character needs its neighbors.
  const joined = segment.words.map((word) => word.text).join('');
  const spelled = Array.from(spell(joined));
  let at = 0;
  const words = segment.words.map((word) => {
    const { length } = Array.from(word.text);
    at += length;
    return { ...word, text: spelled.slice(at - length, at).join('') };
  });
  return { ...segment, text, words };
}

function spell(text: string): string {
  return EVERYDAY.reduce((line, [pattern, written]) => line.replaceAll(pattern, written), text);
}
