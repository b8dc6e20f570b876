/**
 * Adds a line to an exported text that says how far to trust it: a note in WebVTT, the first line
 * of the first subtitle in SubRip, which knows no notes, and a paragraph above a plain text.
 */
export function withNotice(format: string, content: string, line: string): string {
  if (format === 'vtt') return content.replace(/^(WEBVTT[^\n]*\n)/, (head) => `${head}\nNOTE ${line}\n`);
  if (format === 'srt') return content.replace(/^(\d+\r?\n[^\n]*-->[^\n]*\n)/, (head) => `${head}[${line}]\n`);
  return `${line}\n\n${content}`;
}
