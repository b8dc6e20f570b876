/** Matches the beginning of SSML, which the service reads as markup. */
const SSML = /^(?:\s|<\?(?:(?!\?>)[^])*\?>|<!--(?:(?!-->)[^])*-->)*<speak(?![\w.:-])/;
const THOUGHT = /<think(?:ing)?>[^]*?(?:<\/think(?:ing)?>|$)/gi;
const HIDDEN = /<(metadata|desc)\b[^>]*>[^]*?<\/\1>|<!--[^]*?-->|<\?[^]*?\?>/g;
const ALIAS = /<sub\b[^>]*\balias\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>[^]*?<\/sub>/g;
const ENTITY = /&(?:#\w+|\w+);/g;

/** Whether the service reads a text as SSML. */
export function isSsml(text: string): boolean {
  return SSML.test(text);
}

/**
 * Counts the characters of a text as the service counts and charges them: those that are spoken.
 * White space in SSML is counted nearly so.
 */
export function charactersIn(text: string): number {
  const spoken = text.replace(THOUGHT, '').trim();
  if (!isSsml(spoken)) return [...spoken].length;
  const plain = spoken
    .replace(HIDDEN, '')
    .replace(ALIAS, '$1$2')
    .replace(/<[^>]*>/g, '')
    .replace(ENTITY, '&')
    .replace(/\s+/g, ' ')
    .trim();
  return [...plain].length;
}
