/**
 * A Chinese character, or a whole word or number, with the punctuation after it. Times are in
 * milliseconds from the start of the audio.
 */
export type Piece = {
  text: string;
  /** Punctuation between this piece and the next, possibly empty. */
  after: string;
  startMs: number;
  endMs: number;
};

/**
 * Longest duration of a character in milliseconds; a pause follows. Models give the start of a
 * token, but not its end.
 */
const MAX_CHARACTER_MS = 500;

const BYTE_TOKEN = /^<0x([0-9A-F]{2})>$/i;
/** Matches control tokens such as `<|yue|>`, `<|NEUTRAL|>`, `<unk>`, `<blk>`. */
const TAG = /<\|[^|>]*\|>|<[a-z/_]+>/giu;
const HAN = /\p{Script=Han}/u;
const PUNCTUATION = /^\p{P}$/u;
/** Matches characters that belong to a word or number when inside one. */
const INNER_MARK = /^['’.,:%-]$/u;

type Timed = { char: string; startMs: number; endMs: number; beginsWord: boolean };

/**
 * Joins a model's tokens to units: bytes to characters, word pieces to words, digits to numbers. A
 * token that begins with a space (or ▁) begins a word. `startsMs` has the start of each token,
 * `soundMs` the duration of the audio.
 */
export function joinTokens(tokens: readonly string[], startsMs: readonly number[], soundMs: number): Piece[] {
  const pieces: Piece[] = [];
  const characters = toCharacters(tokens, startsMs, soundMs);
  for (const [index, { char, startMs, endMs, beginsWord }] of characters.entries()) {
    const last = pieces.at(-1);
    const isInWord = last !== undefined && last.after === '' && !beginsWord && !HAN.test(last.text);
    const next = characters[index + 1];
    const continues = next !== undefined && !next.beginsWord && isLetter(next.char);
    if (PUNCTUATION.test(char) && !(isInWord && INNER_MARK.test(char) && continues)) {
      // Punctuation before the first word is dropped.
      if (last !== undefined) last.after += char;
    } else if (isInWord && !HAN.test(char)) {
      last.text += char;
      last.endMs = endMs;
    } else pieces.push({ text: char, after: '', startMs, endMs });
  }
  return pieces;
}

/** Removes control tokens, partial characters and superfluous spaces from a text. */
export function withoutTags(text: string): string {
  return text.replaceAll(TAG, '').replaceAll('\ufffd', '').replaceAll(/\s+/gu, ' ').trim();
}

/** Spreads a text without times evenly over the audio, for steps that need pieces but no times. */
export function piecesOfText(text: string, soundMs: number): Piece[] {
  const tokens = withoutTags(text).match(/ ?\S/gu) ?? [];
  return joinTokens(
    tokens,
    tokens.map((_token, index) => (index * soundMs) / tokens.length),
    soundMs,
  );
}

/** Splits tokens into single characters with start and end; those of one token share its time. */
function toCharacters(tokens: readonly string[], startsMs: readonly number[], soundMs: number): Timed[] {
  const units = toUnits(tokens, startsMs, soundMs);
  return units.flatMap(({ text, startMs }, index) => {
    const chars = [...text.trim()];
    const untilMs = Math.max(startMs, units[index + 1]?.startMs ?? soundMs);
    const stepMs = Math.min(MAX_CHARACTER_MS, (untilMs - startMs) / Math.max(1, chars.length));
    return chars.flatMap((char, at) => {
      if (isSpace(char)) return [];
      const beginsWord = isSpace(at === 0 ? (text[0] ?? '') : (chars[at - 1] ?? ''));
      return [{ char, startMs: startMs + at * stepMs, endMs: startMs + (at + 1) * stepMs, beginsWord }];
    });
  });
}

/**
 * Returns tokens with text: without control tokens, with bytes joined, and a lone space moved to
 * the next token.
 */
function toUnits(tokens: readonly string[], startsMs: readonly number[], soundMs: number) {
  const units: { text: string; startMs: number }[] = [];
  let bytes: number[] = [];
  let bytesStartMs = 0;
  let space = '';
  const push = (text: string, startMs: number) => {
    if (text.trim() === '') space = text === '' ? space : ' ';
    else {
      units.push({ text: space + text, startMs });
      space = '';
    }
  };
  const flushBytes = () => {
    // A partial character is dropped: the model changed its output within it.
    if (bytes.length > 0) push(Buffer.from(bytes).toString('utf8').replaceAll('\ufffd', ''), bytesStartMs);
    bytes = [];
  };
  let reachedMs = 0;
  for (const [index, token] of tokens.entries()) {
    reachedMs = Math.min(soundMs, Math.max(reachedMs, startsMs[index] ?? reachedMs));
    const byte = BYTE_TOKEN.exec(token)?.[1];
    if (byte === undefined) {
      flushBytes();
      push(token.replaceAll(TAG, '').replaceAll('\ufffd', '').replace(/^▁/u, ' '), reachedMs);
    } else {
      if (bytes.length === 0) bytesStartMs = reachedMs;
      bytes.push(Number.parseInt(byte, 16));
    }
  }
  flushBytes();
  return units;
}

function isSpace(char: string): boolean {
  return /^\s$/u.test(char);
}

function isLetter(char: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(char) && !HAN.test(char);
}
