export type Cue = { startMs: number; durationMs: number; text: string };

/** A row of automatic captions; word times are relative to the row. */
export type RollingRow = { startMs: number; endMs: number; words: { text: string; offsetMs: number }[] };

const START_MS = 160;
const GAP_MS = 140;
const SHORTEST_MS = 120;
const MS_PER_CJK_SIGN = 210;
const MS_PER_HANGUL_SIGN = 170;
const MS_PER_LETTER = 66;
const ROW_SIGNS_CJK = 18;
const ROW_LETTERS = 42;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/gu;
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const MARKS = /[.,!?;:"“”，。！？、；：「」『』…]/gu;

/** Cache: measuring three hours of text takes long. */
const lengths = new WeakMap<readonly string[], number>();

/** Estimated speaking time. */
function spokenMs(text: string): number {
  const signs = text.match(SIGNS)?.length ?? 0;
  const hangul = text.match(HANGUL)?.length ?? 0;
  const letters = text.length - signs - hangul;
  return Math.max(SHORTEST_MS, signs * MS_PER_CJK_SIGN + hangul * MS_PER_HANGUL_SIGN + letters * MS_PER_LETTER);
}

/** Manual captions: one per sentence, long ones split into rows and captions at pauses. */
export function manualCues(sentences: readonly string[]): Cue[] {
  const cues: Cue[] = [];
  let atMs = START_MS;
  for (const sentence of sentences) {
    const rows = rowsOf(sentence);
    for (let row = 0; row < rows.length; row += 2) {
      const text = rows.slice(row, row + 2).join('\n');
      const durationMs = spokenMs(text);
      cues.push({ startMs: atMs, durationMs, text });
      atMs += durationMs;
    }
    atMs += GAP_MS;
  }
  return cues;
}

/** Automatic captions: rows of a few words without punctuation; `[Music]` and `>>` stay. */
export function rollingRows(sentences: readonly string[]): RollingRow[] {
  const rows: RollingRow[] = [];
  let atMs = START_MS;
  for (const sentence of sentences) {
    const recognized = sentence.startsWith('[') ? sentence : sentence.replace(MARKS, '').toLowerCase();
    for (const row of rowsOf(recognized)) {
      const words = [];
      const startMs = atMs;
      for (const [index, word] of (CJK.test(row) ? pairs(row) : row.split(' ')).entries()) {
        const text = index === 0 || CJK.test(row) ? word : ` ${word}`;
        words.push({ text, offsetMs: atMs - startMs });
        atMs += spokenMs(word);
      }
      rows.push({ startMs, endMs: atMs, words });
    }
  }
  return rows;
}

/** Duration of a video with these sentences; a minute without any. */
export function lengthOf(sentences: readonly string[]): number {
  let lengthMs = lengths.get(sentences);
  if (lengthMs === undefined) {
    const last = manualCues(sentences).at(-1);
    lengthMs = last === undefined ? 60_000 : last.startMs + last.durationMs + 2_000;
    lengths.set(sentences, lengthMs);
  }
  return lengthMs;
}

function rowsOf(sentence: string): string[] {
  return CJK.test(sentence) ? rowsOfSigns(sentence) : rowsOfWords(sentence);
}

function rowsOfWords(sentence: string): string[] {
  const rows: string[] = [];
  for (const word of sentence.split(' ')) {
    const row = rows.at(-1);
    if (row === undefined || row.length + word.length >= ROW_LETTERS) rows.push(word);
    else rows[rows.length - 1] = `${row} ${word}`;
  }
  return rows;
}

/** Splits at commas if possible, otherwise at the maximum row length. */
function rowsOfSigns(sentence: string): string[] {
  const rows: string[] = [];
  for (const part of sentence.split(/(?<=[，、；：])/u)) {
    const row = rows.at(-1);
    if (row !== undefined && [...row].length + [...part].length <= ROW_SIGNS_CJK) rows[rows.length - 1] = row + part;
    else for (let at = 0; at < part.length; at += ROW_SIGNS_CJK * 2) rows.push(part.slice(at, at + ROW_SIGNS_CJK * 2));
  }
  return rows;
}

function pairs(row: string): string[] {
  const signs = [...row];
  return signs.flatMap((sign, at) => (at % 2 === 0 ? [sign + (signs[at + 1] ?? '')] : []));
}
