import { withoutThinking } from '@jyutsing/text/normalization/thinking';
import { isSsml } from '@jyutsing/text/ssml/read-ssml';

/** The service speaks at most 5,000 characters at a time. */
const MAX_CHARACTERS = 4_500;

/**
 * The breaks in the order of their pauses: a long text is cut where a reader would pause longest.
 */
const BREAKS = [
  /(?<=\n\s*\n)/u,
  /(?<=\n)/u,
  /(?<=[。！？!?…]["”』」]?\s*|\.\s+)/u,
  /(?<=[，、；：,;:]\s*)/u,
  /(?<=\s)/u,
];

/**
 * Cuts a text into parts that fit one request, without the thoughts of a language model; empty for
 * a blank text. SSML is one part, because its tags belong together.
 */
export function splitText(text: string, maxCharacters = MAX_CHARACTERS): string[] {
  const spoken = withoutThinking(text);
  return (isSsml(spoken) ? [spoken] : cut(spoken, BREAKS, maxCharacters))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function cut(text: string, [first, ...finer]: readonly RegExp[], max: number): string[] {
  if ([...text].length <= max) return [text];
  if (first === undefined) {
    const letters = [...text];
    const count = Math.ceil(letters.length / max);
    return Array.from({ length: count }, (_, index) => letters.slice(index * max, (index + 1) * max).join(''));
  }
  const parts: string[] = [];
  for (const piece of text.split(first).flatMap((part) => cut(part, finer, max))) {
    const last = parts.at(-1);
    if (last !== undefined && [...last].length + [...piece].length <= max) parts[parts.length - 1] = last + piece;
    else parts.push(piece);
  }
  return parts;
}
