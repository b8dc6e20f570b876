import { isSsml } from '#console/core/characters.ts';

/** Long passages sound more natural, short ones are heard sooner. */
const LONGEST = 120;

/**
 * A text in the parts that are spoken one after the other. The first is a single sentence, so that
 * it is heard soon. SSML is one passage.
 */
export function passagesOf(text: string): string[] {
  if (isSsml(text)) return [text.trim()];
  const passages: string[] = [];
  let open = '';
  const close = () => {
    const passage = withoutHeadingMarks(open).trim();
    if (passage !== '') passages.push(passage);
    open = '';
  };
  const sentences = new Intl.Segmenter('zh-HK', { granularity: 'sentence' });
  for (const line of text.split(/(?<=\n)/)) {
    // A heading of several sentences is one passage, because a chapter begins with it.
    const parts = line.search(HEADING) === 0 ? [line] : [...sentences.segment(line)].map(({ segment }) => segment);
    for (const part of parts) {
      if (open.length + part.length > LONGEST) close();
      open += part;
      if (passages.length === 0) close();
    }
    close();
  }
  return passages;
}

const HEADING = /^#{1,6}[ \t]+(?=\S)/gm;

/** The text without the marks of lines that are headings, `# `. */
export function withoutHeadingMarks(text: string): string {
  return isSsml(text) ? text : text.replaceAll(HEADING, '');
}

/** The headings of a text, each of which begins a chapter and is a passage. */
export function headingsOf(text: string): ReadonlySet<string> {
  const lines = isSsml(text) ? [] : text.split('\n').filter((line) => line.search(HEADING) === 0);
  return new Set(lines.map((line) => withoutHeadingMarks(line).trim()));
}

export type TimedWord = { start: number; end: number; text: string };
/** A stretch of a passage; its `start` is null if it is not spoken. */
export type WordPiece = { text: string; start: number | null };

/** A passage as its words with their times, and what is between them. */
export function wordPieces(passage: string, words: readonly TimedWord[]): WordPiece[] {
  const pieces: WordPiece[] = [];
  let at = 0;
  for (const { text, start } of words) {
    const found = text === '' ? -1 : passage.indexOf(text, at);
    // The words do not stand in the passage, as when a number was written out.
    if (found < 0) continue;
    if (found > at) pieces.push({ text: passage.slice(at, found), start: null });
    pieces.push({ text, start });
    at = found + text.length;
  }
  if (at < passage.length) pieces.push({ text: passage.slice(at), start: null });
  return pieces;
}
