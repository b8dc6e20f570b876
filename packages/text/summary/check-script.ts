import { toHongKong, toSimplified } from '#text/script/convert-script.ts';

/** Numbers of Chinese characters that exist in one script only. */
type ScriptCounts = { han: number; simplified: number; traditional: number; japanese: number };
type Script = 'simplified' | 'traditional' | 'japanese' | 'several';

type Ranges = readonly (readonly [first: number, last: number])[];

const BEYOND_ASCII: Ranges = [[0xa1, 0xfe]];
const gb2312 = characterSet('gbk', [[0xb0, 0xf7]], BEYOND_ASCII);
/** Without the additions of Hong Kong and vendors, which contain Simplified characters. */
const big5 = characterSet(
  'big5',
  [
    [0xa4, 0xc6],
    [0xc9, 0xf9],
  ],
  [[0x40, 0x7e], ...BEYOND_ASCII],
);
const jis = characterSet('euc-jp', [[0xb0, 0xf4]], BEYOND_ASCII);
/** Each call opens a set; the first use of a set does so, too. */
export const openCharacterSets: readonly (() => unknown)[] = [gb2312, big5, jis];

const scriptCache = new Map<string, Script>();

/**
 * Counts characters by script: Simplified, Traditional, Japanese, according to the character sets
 * of each (GB 2312, Big 5, JIS X 0208). Characters of several scripts (里, 后, 余) and characters that
 * a set merely lacks (咗, 喆) are not counted.
 */
export function countScriptCharacters(text: string): ScriptCounts {
  const counts: ScriptCounts = { han: 0, simplified: 0, traditional: 0, japanese: 0 };
  for (const [char] of text.matchAll(/\p{Script=Han}/gu)) {
    counts.han += 1;
    const script = scriptOf(char);
    if (script !== 'several') counts[script] += 1;
  }
  return counts;
}

function scriptOf(char: string): Script {
  const before = scriptCache.get(char);
  if (before !== undefined) return before;
  const script = lookUp(char);
  scriptCache.set(char, script);
  return script;
}

function lookUp(char: string): Script {
  if (gb2312().has(char)) return !big5().has(char) && toHongKong(char) !== char ? 'simplified' : 'several';
  if (big5().has(char)) return toSimplified(char) !== char ? 'traditional' : 'several';
  return jis().has(char) ? 'japanese' : 'several';
}

/** A character set that is decoded at the first call. */
function characterSet(encoding: string, leads: Ranges, trails: Ranges): () => ReadonlySet<string> {
  let characters: ReadonlySet<string> | undefined;
  return () => (characters ??= decoded(encoding, leads, trails));
}

/** The Chinese characters of a double-byte character set. */
function decoded(encoding: string, leads: Ranges, trails: Ranges): Set<string> {
  const bytes: number[] = [];
  for (const lead of bytesOf(leads)) for (const trail of bytesOf(trails)) bytes.push(lead, trail);
  const text = new TextDecoder(encoding).decode(Uint8Array.from(bytes));
  return new Set(text.match(/\p{Script=Han}/gu));
}

function bytesOf(ranges: Ranges): number[] {
  return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
