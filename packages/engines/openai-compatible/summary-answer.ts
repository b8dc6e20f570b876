/**
 * The parsed answer of a model: its text (empty without one), and whether it is complete, null when
 * prose does not show it.
 */
type GivenSummary = { text: string; isWhole: boolean | null };

const SUMMARY_KEYS = [
  'summary',
  'text',
  'answer',
  'output',
  'content',
  'result',
  'notes',
  '摘要',
  '總結',
  '总结',
  '要約',
  '요약',
];
/** Largest depth at which the text is nested in wrappers. */
const MOST_DEPTH = 4;
const MOST_ENDS = 4;

/**
 * Extracts the summary from a model's answer. The prompt asks for `{"summary": "…"}`; reasoning
 * before it, a Markdown fence, text around the JSON, truncated or invalid JSON and plain prose are
 * accepted too. Tokens of chat templates are removed.
 */
export function readSummary(written: string): GivenSummary {
  const parsed = fromJson(written.trim());
  if (parsed !== null) return parsed;
  const answer = withoutFence(withoutTemplateMarks(withoutReasoning(written)).trim());
  return fromJson(answer) ?? fromJsonInside(answer) ?? { text: prose(answer), isWhole: null };
}

/**
 * Removes reasoning; unfinished reasoning has no answer after it. Some templates begin the
 * reasoning themselves, so that only its end is in the answer.
 */
export function withoutReasoning(written: string): string {
  const final = written.split(/<\|channel\|>final(?:<\|[^|]{1,40}\|>[^<]{0,40})?<\|message\|>/).at(-1) ?? '';
  const after = final.split(/<\/(?:think|thinking|thought|reasoning)>|◁\/think▷/i).at(-1) ?? '';
  return after.replace(/(?:<(?:think|thinking|thought|reasoning)>|◁think▷)[^]*$/i, '');
}

export function withoutTemplateMarks(text: string): string {
  return text.replaceAll(/<\|[a-z_]{1,40}\|>|<\/?s>|<(?:start|end)_of_turn>|<eos>|\[\/?INST\]/gi, '');
}

function withoutFence(text: string): string {
  const [, inside] = /```[a-z]{0,10}([^]*?)(?:```|$)/i.exec(text) ?? [];
  // A fence inside prose belongs to the prose.
  return inside !== undefined && (text.startsWith('```') || inside.trimStart().startsWith('{')) ? inside.trim() : text;
}

function fromJson(text: string): GivenSummary | null {
  if (!/^[{["]/.test(text)) return null;
  const value = parseLeniently(text);
  if (value === undefined) return null;
  // JSON without a text is an empty answer.
  return { text: textIn(value, MOST_DEPTH) ?? '', isWhole: true };
}

/** Finds JSON in the text, complete or truncated. */
function fromJsonInside(text: string): GivenSummary | null {
  const start = text.search(/\{\s*["“]/);
  if (start < 0) return null;
  // Text after the JSON may contain braces.
  let end = text.lastIndexOf('}');
  for (let tries = 0; tries < MOST_ENDS && end > start; tries += 1, end = text.lastIndexOf('}', end - 1)) {
    const value = parseLeniently(text.slice(start, end + 1));
    const content = value === undefined ? null : textIn(value, MOST_DEPTH);
    if (content !== null) return { text: content, isWhole: true };
  }
  return fromBrokenJson(text.slice(start));
}

/** Models break lines inside strings, which JSON does not allow. */
function parseLeniently(text: string): unknown {
  for (const attempt of [text, text.replaceAll(/\p{Cc}+/gu, ' '), text.replaceAll(/,\s*([}\]])/g, '$1')]) {
    try {
      return JSON.parse(attempt);
    } catch {
      continue;
    }
  }
  return undefined;
}

/**
 * Returns the text in a parsed value; null without a text or with an unexpected one (`{"error":
 * "…"}`).
 */
function textIn(value: unknown, depth: number): string | null {
  if (depth === 0) return null;
  if (typeof value === 'string') {
    const inner = /^\s*[{["]/.test(value) ? parseLeniently(value.trim()) : undefined;
    return typeof inner === 'object' && inner !== null ? (textIn(inner, depth - 1) ?? value.trim()) : value.trim();
  }
  if (Array.isArray(value)) {
    const texts = value.map((item) => textIn(item, depth - 1)).filter((item) => item !== null && item !== '');
    return texts.length === 0 ? null : texts.join('\n');
  }
  if (typeof value !== 'object' || value === null) return null;
  const entries = new Map(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member as unknown]));
  for (const key of SUMMARY_KEYS) {
    const text = entries.has(key) ? textIn(entries.get(key), depth - 1) : null;
    if (text !== null) return text;
  }
  return null;
}

/**
 * Returns the summary string in JSON that does not parse: truncated, or with unescaped quotes. Null
 * when no such string begins.
 */
function fromBrokenJson(text: string): GivenSummary | null {
  const opening = new RegExp(`["“](?:${SUMMARY_KEYS.join('|')})["”]\\s*:\\s*["“]`, 'iu').exec(text);
  if (opening === null)
    return /^\{\s*["“][^"”]{0,40}(?:["”]\s*:?\s*)?$/u.test(text) ? { text: '', isWhole: false } : null;
  const remainder = text.slice(opening.index + opening[0].length);
  const closing = /["”]\s{0,20},?\s{0,20}\}[^{"]{0,200}$/u.exec(remainder);
  return {
    text: unescaped(closing === null ? remainder : remainder.slice(0, closing.index)).trim(),
    isWhole: closing !== null,
  };
}

/** Decodes JSON escapes, ignoring an incomplete one at the end. */
function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = { n: '\n', t: ' ', r: '', b: '', f: '' };
  return text
    .replaceAll(/\\(?:u([\da-f]{4})|([^u]))/giu, (_all, hex: string | undefined, char: string | undefined) =>
      hex === undefined ? (named[char ?? ''] ?? char ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/\\(?:u[\da-f]{0,3})?$/iu, '')
    .toWellFormed();
}

/** Matches an introduction such as `Here is the summary:` before the summary. */
const PREAMBLE =
  /^(?:sure|certainly|of course|okay|好的|当然|當然|はい|네|물론)?[^\n:：]{0,12}(?:here(?:'s| is)|summary|以下|摘要|總結|总结|要約|요약)[^\n:：]{0,40}[:：]\s*(?=\S)/iu;

function prose(text: string): string {
  // Invalid JSON is not prose.
  return /^[{[]\s*["'“{[]/.test(text) ? '' : text.replace(PREAMBLE, '').trim();
}

/** Phrases of refusals in all languages: a short text that contains one is not a summary. */
const REFUSAL =
  /^(?:(?:i(?:'|’)?m|i am) (?:very |really |so )?sorry|sorry,? (?:but )?i\b|as an ai\b|i (?:can(?:'|’)?t|cannot|am unable|(?:'|’)m unable)|(?:很|非常)?抱歉|(?:真係)?對唔住|(?:很)?對不起|(?:很)?对不起|唔好意思|我(?:無法|无法|不能|冇辦法)|申し訳|すみません|ごめん|죄송)/iu;
const INABILITY =
  /can(?:'|’)?t|cannot|unable|not able|won(?:'|’)?t|無法|无法|不能|唔可以|唔能夠|冇辦法|幫唔到|できません|できかね|でき(?:ない|ず)|いたしかね|없습니다|어렵습니다|할 수 없/iu;
const LONGEST_REFUSAL = 300;

/** Returns true if the text is a refusal. */
export function isRefusal(text: string): boolean {
  return text.length <= LONGEST_REFUSAL && REFUSAL.test(text.trim()) && INABILITY.test(text);
}
