/** The tags around what a language model writes for itself before its answer. */
const TAG = /<(\/?)think(?:ing)?(?:\s[^<>]{0,200})?>/giu;

/**
 * The text without the thoughts of a language model: between `<think>` or `<thinking>` and its end,
 * or the end of the text. An end without a beginning, which some models write, ends thoughts that
 * began with the text.
 */
export function withoutThinking(text: string): string {
  let spoken = '';
  let from = 0;
  let depth = 0;
  for (const { 0: tag, 1: slash, index } of text.matchAll(TAG)) {
    const end = index + tag.length;
    if (slash === '') {
      if (depth === 0) spoken += text.slice(from, index);
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      from = end;
    } else {
      spoken = '';
      from = end;
    }
  }
  return depth > 0 ? spoken : spoken + text.slice(from);
}

/** The place where a thought begins that is not ended in the text; null: there is none. */
export function unfinishedThought(text: string): number | null {
  let depth = 0;
  let begin = 0;
  for (const { 1: slash, index } of text.matchAll(TAG)) {
    if (slash === '' && depth === 0) begin = index;
    depth = Math.max(0, depth + (slash === '' ? 1 : -1));
  }
  return depth > 0 ? begin : null;
}

/** The longest tag of a thought in characters; a shorter beginning may be one that is cut off. */
const LONGEST_TAG = 220;

/**
 * The text so far, without what a thought contains that is not ended in it: only its beginnings
 * stay, and a last tag that may be cut off. The rest of the text ends the thought as before.
 */
export function withoutOpenThought(text: string): string {
  let depth = 0;
  let begin = 0;
  let from = 0;
  for (const { 0: tag, 1: slash, index } of text.matchAll(TAG)) {
    if (slash === '' && depth === 0) begin = index;
    depth = Math.max(0, depth + (slash === '' ? 1 : -1));
    from = index + tag.length;
  }
  if (depth === 0) return text;
  const cut = text.lastIndexOf('<');
  const tag = cut >= from && text.length - cut <= LONGEST_TAG ? text.slice(cut) : '';
  return text.slice(0, begin) + '<think>'.repeat(depth) + tag;
}
