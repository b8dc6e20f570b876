/** A character of Chinese, or a whole word or number, with the punctuation that follows it. Times are from the start of the sound. */
export type Piece = {
  text: string;
  /** Punctuation between this piece and the next. */
  after: string;
  startMs: number;
  endMs: number;
};

/** No spoken character lasts longer; after it comes a pause. Models tell where a token begins, not where it ends. */
const MAX_CHARACTER_MS = 500;

const BYTE_TOKEN = /^<0x([0-9A-F]{2})>$/i;
/** `<|yue|>`, `<|NEUTRAL|>`, `<unk>`, `<blk>`: what is said about the text, not the text. */
const TAG = /<\|[^|>]*\|>|<[a-z/_]+>/giu;
const HAN = /\p{Script=Han}/u;
const PUNCTUATION = /^\p{P}$/u;
/** Inside a word or number these are letters of it. */
const INNER_MARK = /^['’.,:%-]$/u;

type Timed = { char: string; startMs: number; endMs: number; beginsWord: boolean };

/**
 * Joins a model's tokens to the units that people read: bytes to characters, pieces to words, digits to numbers. A token that
 * begins with a space (or ▁) begins a word. `startsMs` has the start of each token, `soundMs` the length of the sound.
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
      // Before the first word there is nothing to hang it on, and nothing is lost with it.
      if (last !== undefined) last.after += char;
    } else if (isInWord && !HAN.test(char)) {
      last.text += char;
      last.endMs = endMs;
    } else pieces.push({ text: char, after: '', startMs, endMs });
  }
  return pieces;
}

/** Text without what models say about it: `<|yue|>`, `<unk>`, halves of characters, superfluous space. */
export function withoutTags(text: string): string {
  return text.replaceAll(TAG, '').replaceAll('\ufffd', '').replaceAll(/\s+/gu, ' ').trim();
}

/** A text without times in pieces, spread evenly over the sound: for steps that need pieces, not for telling times. */
export function piecesOfText(text: string, soundMs: number): Piece[] {
  const tokens = withoutTags(text).match(/ ?\S/gu) ?? [];
  return joinTokens(
    tokens,
    tokens.map((_token, index) => (index * soundMs) / tokens.length),
    soundMs,
  );
}

/** Characters one by one with a start and an end; those of one token share the time until the next token. */
function toCharacters(tokens: readonly string[], startsMs: readonly number[], soundMs: number): Timed[] {
  const units = toUnits(tokens, startsMs, soundMs);
  return units.flatMap(({ text, startMs }, index) => {
    const own = [...text.trim()];
    const untilMs = Math.max(startMs, units[index + 1]?.startMs ?? soundMs);
    const stepMs = Math.min(MAX_CHARACTER_MS, (untilMs - startMs) / Math.max(1, own.length));
    return own.flatMap((char, at) => {
      if (isSpace(char)) return [];
      const beginsWord = isSpace(at === 0 ? (text[0] ?? '') : (own[at - 1] ?? ''));
      return [{ char, startMs: startMs + at * stepMs, endMs: startMs + (at + 1) * stepMs, beginsWord }];
    });
  });
}

/** Tokens that hold text: tags left out, bytes put together, a lone space given to what follows it. */
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
    // Half a character is none: the model changed its mind within it.
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
