/**
 * Interrogative words, and verbs on both sides of 唔: a particle after them does not mark a
 * question.
 */
const HAS_QUESTION_WORD = /(.)唔\1|點|邊|幾|乜|咩|誰|係咪|有冇|未[呀啊]$|定係|為何/u;

/** The syllable of a particle at the end of a question without an interrogative word: 係呀？ → aa4. */
export function particleOfQuestion(text: string): string | null {
  const last = text.at(-1) ?? '';
  if (HAS_QUESTION_WORD.test(text.slice(0, -1)) || HAS_QUESTION_WORD.test(text)) return null;
  if (last === '呀' || last === '啊') return 'aa4';
  if (last === '㗎' || last === '架') return 'gaa4';
  return null;
}
