import { SIMPLIFIED_ONLY } from './simplified-characters.ts';

/**
 * Converts a text in Simplified characters to Hong Kong's, one for each at the same position;
 * Traditional text is unchanged, and then the conversion tables (a hundred megabytes) are not
 * loaded.
 */
export async function inTraditional(text: string): Promise<string> {
  if (!SIMPLIFIED_ONLY.test(text)) return text;
  const { toHongKong } = await import('#text/script/convert-script.ts');
  const written = Array.from(text);
  const converted = Array.from(toHongKong(text));
  if (converted.length !== written.length) return text;
  // Positions count UTF-16 units: a character of another length stays as written.
  return written.map((char, index) => (converted[index]?.length === char.length ? converted[index] : char)).join('');
}
