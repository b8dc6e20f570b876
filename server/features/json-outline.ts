/** Limits of the shape of a JSON text; no JSON has more strings than two for each value. */
export type JsonLimits = { depth: number; values: number };

/** The structure of a JSON text, complete or not, which is found without parsing it. */
export type JsonOutline = {
  /** The first limit that the text exceeds. */
  exceeded: keyof JsonLimits | null;
  /** The last field `api_key` of the outermost object, if its value is text. */
  apiKey: string | null;
};

/**
 * Scans a JSON text in one pass without allocation. Parsing first would be too late: lists within
 * lists and lists of empty objects take a hundred times their size in memory. The text may be
 * malformed, or the beginning of a longer one; brackets and commas inside strings do not count.
 */
export function outlineJson(text: string, limits: JsonLimits): JsonOutline {
  let [depth, values, strings] = [0, 0, 0];
  let apiKey: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      if (depth === 1) apiKey = keyAt(text, at) ?? apiKey;
      at = endOfString(text, at);
      strings += 1;
    } else if (char === '[' || char === '{') {
      depth += 1;
      values += 1;
    } else if (char === ']' || char === '}') depth -= 1;
    else if (char === ',') values += 1;
    if (depth > limits.depth) return { exceeded: 'depth', apiKey };
    if (values > limits.values || strings > 2 * (limits.values + 1)) return { exceeded: 'values', apiKey };
  }
  return { exceeded: null, apiKey };
}

/** Index of the quote that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

const KEY_FIELD = /"api_key"\s*:\s*"([^"\\]*)"/y;

/** The value of the field whose name begins at `start`, if it is `api_key`. */
function keyAt(text: string, start: number): string | null {
  KEY_FIELD.lastIndex = start;
  return KEY_FIELD.exec(text)?.[1] ?? null;
}
