/** Control characters but for line breaks and tabs: a terminal would obey them. */
const CONTROLS = /[\p{Cc}--[\n\t]]/gv;

/** A text from elsewhere, such as the name of a file, as it can be printed on a terminal. */
export function terminalText(text: string): string {
  return text.replaceAll(CONTROLS, '\u{FFFD}');
}
