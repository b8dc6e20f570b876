/**
 * Interrogative words, and verbs on both sides of 唔: a particle after them does not mark a
 * question.
 */
const HAS_QUESTION_WORD = /(.)唔\1|點|邊|幾|乜|咩|誰|係咪|有冇|未[呀啊]$|定係|為何/u;

/** Particles of statements that ask for assent at the end of a question. */
const ASKING: Readonly<Record<string, string>> = {
  呀: 'aa4',
  啊: 'aa4',
  㗎: 'gaa4',
  架: 'gaa4',
  咋: 'zaa4',
  喇: 'laa4',
};

/** The syllable of a particle at the end of a question without an interrogative word: 係呀？ → aa4. */
export function particleOfQuestion(text: string): string | null {
  const last = text.at(-1) ?? '';
  if (HAS_QUESTION_WORD.test(text.slice(0, -1)) || HAS_QUESTION_WORD.test(text)) return null;
  return ASKING[last] ?? null;
}
