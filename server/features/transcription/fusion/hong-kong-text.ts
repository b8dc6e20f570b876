import { toHongKong, usualHongKongForms } from '@jyutsing/text/script';

/** The bytes of Big5 proper; what Hong Kong and vendors added beside them holds Simplified forms, too. */
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

/** The 13,053 characters of Big5 (1984): what Traditional Chinese is written with, but for dialects and rare names. */
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

/** A text in Hong Kong's characters: as it is if it were Simplified, and as it is to be written. One character for each. */
export type HongKongText = { isSimplified: boolean; converted: string; written: string };

/**
 * A text in Hong Kong's characters, converted only if it is Simplified, told by a character that Traditional does not have. What both
 * scripts have, as the 涌 of 鰂魚涌, tells nothing, and would be spoilt.
 */
export function toHongKongText(text: string): HongKongText {
  return choose(text, toHongKong(text), usualHongKongForms(text));
}

/** `toHongKongText` for many at once, which is far faster than one by one; none may hold a line break. */
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
