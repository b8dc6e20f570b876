import { refused } from './bundle.ts';
import { openCharacterMap, type CharacterMap } from './character-map.ts';
import { readFields } from './protobuf.ts';

/** Types of pieces that a text may be made of (sentencepiece_model.proto). */
const NORMAL = 1;
const USER_DEFINED = 4;
const BYTE = 6;
/** A word begins with this sign (U+2581), and so does the text. */
const WORD_START = '\u2581';

type Piece = { text: string; score: number; type: number };

export type SentencePiece = { encode(text: string): number[] };

/**
 * Opens a SentencePiece model of the type BPE with byte fallback: `tokenizer.model`, a protobuf of
 * sentencepiece_model.proto. A text is normalized by the character map in the file, and the pair
 * of pieces with the best score is joined until none is left (Sennrich et al. 2016). Throws
 * `engine_unavailable` for anything else.
 */
export function openSentencePiece(file: Buffer): SentencePiece {
  const { pieces, normalize } = readModel(file);
  const ids = new Map(pieces.map(({ text }, id) => [text, id]));
  const byteIds = Array.from({ length: 256 }, (_, byte) =>
    ids.get(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
  );
  if (byteIds.includes(undefined)) throw unreadable();
  const whole = pieces.filter(({ type }) => type === USER_DEFINED).map(({ text }) => text);
  const wholeAt = longestAt(whole);
  const scoreOf = (text: string): number | null => {
    const piece = pieces[ids.get(text) ?? -1];
    return piece !== undefined && (piece.type === NORMAL || piece.type === USER_DEFINED) ? piece.score : null;
  };

  const encode = (text: string): number[] => {
    const normalized = normalize(text, wholeAt);
    const parts = joinPairs(splitSymbols(normalized, wholeAt), scoreOf);
    return parts.flatMap((part) => {
      const id = ids.get(part);
      if (id !== undefined && pieces[id]?.type !== BYTE) return [id];
      return [...Buffer.from(part)].map((byte) => byteIds[byte]!);
    });
  };
  return { encode };
}

/** A part of a text; `isWhole`: it joins no other. */
type Part = { text: string; isWhole: boolean };

function splitSymbols(text: string, wholeAt: (text: string, at: number) => string | null): Part[] {
  const symbols: Part[] = [];
  for (let at = 0; at < text.length;) {
    const whole = wholeAt(text, at);
    const symbol = whole ?? String.fromCodePoint(text.codePointAt(at)!);
    symbols.push({ text: symbol, isWhole: whole !== null });
    at += symbol.length;
  }
  return symbols;
}

/** Joins the pair with the best score, the first of equal ones, as long as there is one. */
function joinPairs(symbols: Part[], scoreOf: (text: string) => number | null): string[] {
  // The scores of the pairs that begin at each symbol; only those beside a joined pair change.
  const pairScore = (at: number): number | null => {
    const [left, right] = [symbols[at], symbols[at + 1]];
    return left === undefined || right === undefined || left.isWhole || right.isWhole
      ? null
      : scoreOf(left.text + right.text);
  };
  const scores = symbols.map((_symbol, at) => pairScore(at));
  for (;;) {
    let best = -1;
    for (let at = 0; at < scores.length; at += 1) {
      const score = scores[at] ?? null;
      if (score !== null && (best < 0 || score > scores[best]!)) best = at;
    }
    if (best < 0) return symbols.map(({ text }) => text);
    symbols.splice(best, 2, { text: symbols[best]!.text + symbols[best + 1]!.text, isWhole: false });
    scores.splice(best, 1);
    for (const at of [best - 1, best]) if (at >= 0) scores[at] = pairScore(at);
  }
}

/** Finds the longest of some texts at a place. */
function longestAt(texts: readonly string[]): (text: string, at: number) => string | null {
  const byLength = texts.toSorted((a, b) => b.length - a.length);
  return (text, at) => byLength.find((candidate) => text.startsWith(candidate, at)) ?? null;
}

type Normalize = (text: string, wholeAt: (text: string, at: number) => string | null) => string;

function readModel(file: Buffer): { pieces: Piece[]; normalize: Normalize } {
  const pieces: Piece[] = [];
  const rules = { map: null as CharacterMap | null, addsStart: true, removesBlanks: true };
  try {
    for (const { field, bytes } of readFields(file)) {
      if (field === 1 && bytes !== null) pieces.push(readPiece(bytes));
      if (field === 3 && bytes !== null) readNormalizer(bytes, rules);
    }
  } catch (cause) {
    throw unreadable(cause);
  }
  const { map, addsStart, removesBlanks } = rules;
  if (pieces.length === 0 || map === null) throw unreadable();
  const normalize: Normalize = (text, wholeAt) => {
    let normalized = '';
    for (let at = 0; at < text.length;) {
      const whole = wholeAt(text, at);
      const replaced = whole === null ? map.replace(text, at) : { from: whole, to: whole };
      normalized += replaced.to;
      at += replaced.from.length;
    }
    if (removesBlanks) normalized = normalized.replaceAll(/^ +| +$/g, '').replaceAll(/ +/g, ' ');
    if (normalized === '') return '';
    return (addsStart ? WORD_START : '') + normalized.replaceAll(' ', WORD_START);
  };
  return { pieces, normalize };
}

function readPiece(bytes: Buffer): Piece {
  const piece: Piece = { text: '', score: 0, type: NORMAL };
  for (const { field, value, bytes: content } of readFields(bytes)) {
    if (field === 1 && content !== null) piece.text = content.toString('utf8');
    if (field === 2 && content !== null) piece.score = content.readFloatLE(0);
    if (field === 3) piece.type = value;
  }
  return piece;
}

function readNormalizer(
  bytes: Buffer,
  rules: { map: CharacterMap | null; addsStart: boolean; removesBlanks: boolean },
): void {
  for (const { field, value, bytes: content } of readFields(bytes)) {
    if (field === 2 && content !== null) rules.map = openCharacterMap(content);
    if (field === 3) rules.addsStart = value !== 0;
    if (field === 4) rules.removesBlanks = value !== 0;
  }
}

const unreadable = (cause?: unknown) => refused('its tokenizer is damaged', cause);
