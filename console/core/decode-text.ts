/** Decodes a part of an address; null if it is damaged, such as `%` without two digits. */
export function decodeText(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
