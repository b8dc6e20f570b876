import { toHongKong, usualHongKongForms } from '@jyutsing/text/script/convert-script';

/**
 * The bytes of standard Big5; extensions of Hong Kong and vendors also contain Simplified forms.
 */
const LEAD_RANGES = [
  [0xa4, 0xc6],
  [0xc9, 0xf9],
] as const;
const TRAIL_RANGES = [
  [0x40, 0x7e],
  [0xa1, 0xfe],
] as const;
const LAST_OF_BIG5 = 0xf9d5;
const VENDORS = [0xc6a1, 0xc8fe] as const;

let traditional: ReadonlySet<string> | null = null;

/**
 * The 13,053 characters of Big5 (1984): Traditional Chinese except dialect characters and rare
 * names.
 */
function traditionalCharacters(): ReadonlySet<string> {
  if (traditional !== null) return traditional;
  const bytes: number[] = [];
  for (const [firstLead, lastLead] of LEAD_RANGES) {
    for (let lead = firstLead; lead <= lastLead; lead += 1) {
      for (const [firstTrail, lastTrail] of TRAIL_RANGES) {
        for (let trail = firstTrail; trail <= lastTrail; trail += 1) {
          const code = lead * 256 + trail;
          if (code <= LAST_OF_BIG5 && (code < VENDORS[0] || code > VENDORS[1])) bytes.push(lead, trail);
        }
      }
    }
  }
  traditional = new Set(new TextDecoder('big5').decode(Uint8Array.from(bytes)));
  return traditional;
}

/**
 * A text converted as if it were Simplified, and as it is to be written. Both keep the number of
 * characters.
 */
type HongKongText = { isSimplified: boolean; converted: string; written: string };

/**
 * Writes a text in Hong Kong characters. Converts it only if it has a character that Traditional
 * Chinese lacks: characters of both scripts, such as 涌 in 鰂魚涌, prove nothing and would be spoilt.
 */
export function toHongKongText(text: string): HongKongText {
  return choose(text, toHongKong(text), usualHongKongForms(text));
}

/**
 * `toHongKongText` for many texts at once, much faster than one by one; texts must not contain
 * line breaks.
 */
export function toHongKongTexts(texts: readonly string[]): HongKongText[] {
  const lines = texts.join('\n');
  const [converted, usual] = [toHongKong(lines).split('\n'), usualHongKongForms(lines).split('\n')];
  return texts.map((text, index) => choose(text, converted[index] ?? text, usual[index] ?? text));
}

function choose(text: string, converted: string, usual: string): HongKongText {
  const [fromSimplified, fromTraditional] = [[...converted], [...usual]];
  const isSimplified = [...text].some(
    (char, index) => fromSimplified[index] !== fromTraditional[index] && !traditionalCharacters().has(char),
  );
  return { isSimplified, converted, written: isSimplified ? converted : usual };
}
