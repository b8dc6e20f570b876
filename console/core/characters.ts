/** Counts the characters of a text as the service counts and charges them. */
export function charactersIn(text: string): number {
  return [...text.trim()].length;
}
