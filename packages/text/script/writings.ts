/** Words of writing and renown, in which 著 is no 着; the table has others (著名, 著作). */
const WRITINGS = /(?<=[原專专論论譯译土遺遗撰顯显編编卓昭巨拙合]|微知)著|著(?=[稱称錄录書书])/gu;

/**
 * Gives a text that was converted to Simplified characters its 著 back in words of writing and
 * renown: the tables of Taiwan take it for 着 elsewhere.
 */
export function withWritings(text: string, converted: string): string {
  if (!text.includes('著') || converted.length !== text.length) return converted;
  const places = new Set(Array.from(text.matchAll(WRITINGS), ({ index }) => index));
  return converted.replaceAll('着', (char, at: number) => (places.has(at) ? '著' : char));
}

/**
 * Gives a text that was converted to Simplified characters its 么 back, which the tables also take
 * for the Traditional form of 幺.
 */
export function withParticles(text: string, converted: string): string {
  if (!converted.includes('幺') || converted.length !== text.length) return converted;
  return converted.replaceAll('幺', (char, at: number) => (text[at] === char ? char : '么'));
}
