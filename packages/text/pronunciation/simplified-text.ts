import { SIMPLIFIED_ONLY } from './simplified-characters.ts';

/**
 * A text in Simplified characters as Hong Kong writes it, one character for each at the same place; Traditional text as it is, for which the
 * tables of conversion (a hundred megabytes) are not even loaded.
 */
export async function inTraditional(text: string): Promise<string> {
  if (!SIMPLIFIED_ONLY.test(text)) return text;
  const { toHongKong } = await import('#text/script.ts');
  const written = Array.from(text);
  const converted = Array.from(toHongKong(text));
  if (converted.length !== written.length) return text;
  // Places are counted in UTF-16 units: a character of another length stays as it was written.
  return written.map((char, index) => (converted[index]?.length === char.length ? converted[index] : char)).join('');
}
