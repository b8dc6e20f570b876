/**
 * Removes markup from text that was pasted from web pages and notes. Replaces it by as many UTF-16
 * units, so that positions stay valid: joiners within words, white space between them.
 */
const JOINER = '\u2060';

/**
 * Block tags, which separate text; the others only format it. Unknown names are no tags: `a <b and
 * c> d`.
 */
const BLOCKS =
  /^(?:address|article|aside|blockquote|body|br|center|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|img|li|main|nav|ol|option|p|pre|section|select|table|tbody|td|tfoot|th|thead|title|tr|ul|video)$/i;
const TAG =
  /<(\/?)(address|article|aside|blockquote|body|br|center|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|img|li|main|nav|ol|option|p|pre|section|select|table|tbody|td|tfoot|th|thead|title|tr|ul|video|a|abbr|b|big|cite|code|del|em|font|i|ins|kbd|label|mark|q|s|small|span|strike|strong|sub|sup|tt|u|wbr)(?:\s[^<>]{0,1000})?\s?\/?>/giu;
/** Elements without visible text. */
const HIDDEN =
  /<(script|style)\b[^<>]{0,1000}>[\s\S]{0,5000}?<\/\1\s?>|<!--[\s\S]{0,5000}?-->|<!doctype [^<>]{0,200}>/giu;
const ENTITY = /&(nbsp|amp|lt|gt|quot|apos|copy|reg|hellip|mdash|ndash|middot|bull|#\d{1,6}|#x[\da-f]{1,5});/giu;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', hellip: '…', mdash: '—', ndash: '–', lt: '<', gt: '>' };

/** `[the name](https://…)`, and images with `!` before. */
const LINK = /!?\[([^[\]\n]{0,200})\]\((?:https?:|mailto:|\/|\.|#)[^()\s]{0,1000}(?:\s"[^"\n]{0,200}")?\)/giu;
const CHECKBOX = /^([ \t]*(?:[-*+] )?)\[[ xX]\](?= )/gmu;
/** A horizontal rule, and the line below the header of a table. */
const RULE = /^(?:[-*_=~]{3,}|\|?[ \t]*:?--[-|: \t]*)$/u;
/** A line without letters, which may be a rule: both in one pattern would take minutes. */
const LINE_OF_MARKS = /^[-*_=~|: \t]+$/gmu;
const FENCE = /^[ \t]*```[\w-]{0,20}[ \t]*$/gmu;
const BULLET = /^([ \t]*)[*+](?=[ \t]+\S)/gmu;
/** `**strong**`, `~~gone~~`, `` `code` ``; an asterisk after a digit is kept (5**). */
const STRONG = /(?<![\d*_~`])(\*\*|__|~~|`)(?=[^\s*_~`])([^\n]{0,300}?[^\s*_~`])\1/gu;
const SLANTED = /(?<![\p{L}\d*])\*(?=[^\s*])([^*\n]{0,300}?[^\s*])\*(?![\d*])/gu;
/** A formula between dollar signs, as in notes: $a^2+b^2=c^2$; amounts begin with a digit. */
const FORMULA = /\$(?=[^\s\d$])([^$\n\p{Script=Han}]{1,80}?[=^+*/<>][^$\n\p{Script=Han}]{0,80}?)(?<!\s)\$(?!\d)/gu;
/** A list number is no sentence of its own. */
const NUMBER_OF_LINE = /^([ \t]*\d{1,3})\.(?=[ \t]+\S|\p{Script=Han})/gmu;

/** A number or a letter of a list, and what can stand before the first one. */
const LABEL = /(?<=^|[\s：:。！？；;、，,\p{Script=Han}])(\d{1,2}|[A-Ha-h])([.)])(?=\s+[^\s\d]|\p{Script=Han})/gmu;
const BEFORE_LIST = /(?:^|[\n：:。；])\s*$/u;
const SECOND_LABEL = /[\s；;、，,\p{Script=Han}][2Bb][.)][\s\p{Script=Han}]/u;
const FIRST_LABEL = /(?:^|[\s：:。；;])[1Aa][.)][\s\p{Script=Han}]/mu;

/** The text with commas around the numbers of a list in one line: 1. 洗手 2. 戴口罩. */
function listNumbers(text: string): string {
  if (!SECOND_LABEL.test(text) || !FIRST_LABEL.test(text)) return text;
  const places: number[] = [];
  let next = '';
  let items = 0;
  for (const { index, 1: label = '' } of text.matchAll(LABEL)) {
    const isFirst = /^[1Aa]$/.test(label) && BEFORE_LIST.test(text.slice(Math.max(0, index - 8), index));
    // Letters are also initials and grades.
    if (/\D/.test(label) && !/^\s*\p{Script=Han}/u.test(text.slice(index + 2))) continue;
    if (!isFirst && label !== next) continue;
    next = /\d/.test(label) ? String(Number(label) + 1) : String.fromCharCode(label.charCodeAt(0) + 1);
    items += 1;
    places.push(...(/[^\S\n]/u.test(text.charAt(index - 1)) && !isFirst ? [index - 1] : []), index + label.length);
  }
  if (items < 2) return text;
  const characters = text.split('');
  for (const place of places) characters[place] = ',';
  return characters.join('');
}

/** The text without HTML and Markdown, of the same length. Takes time in proportion to the text. */
export function withoutMarkup(text: string): string {
  let plain = text;
  if (plain.includes('<')) {
    plain = plain
      .replace(HIDDEN, (hidden) => blank(hidden, true))
      .replace(TAG, (tag: string, _end: string, name: string) => blank(tag, BLOCKS.test(name)));
  }
  if (plain.includes('&')) {
    plain = plain.replace(ENTITY, (entity: string, name: string) =>
      (ENTITIES[name.toLowerCase()] ?? ' ').padEnd(entity.length, name === 'nbsp' ? ' ' : JOINER),
    );
  }
  if (plain.includes('](')) {
    plain = plain.replace(LINK, (link: string, name: string) => {
      const from = link.indexOf('[') + 1;
      return join(from) + name + join(link.length - from - name.length);
    });
  }
  if (plain.includes('$')) plain = plain.replace(FORMULA, (_all: string, inner: string) => JOINER + inner + JOINER);
  if (/[*_~`=|[-]/.test(plain)) {
    plain = plain
      .replace(CHECKBOX, (box: string, before: string) => before + ' '.repeat(box.length - before.length))
      .replace(FENCE, (line) => ' '.repeat(line.length))
      .replace(LINE_OF_MARKS, (line) => (RULE.test(line.trim()) ? ' '.repeat(line.length) : line))
      .replace(BULLET, '$1 ')
      .replace(STRONG, (_all: string, mark: string, inner: string) => join(mark.length) + inner + join(mark.length))
      .replace(SLANTED, (_all: string, inner: string) => JOINER + inner + JOINER);
  }
  return listNumbers(plain).replace(NUMBER_OF_LINE, '$1,');
}

const join = (length: number) => JOINER.repeat(length);

/**
 * As many silent characters as the markup has: joiners, or for the tag of a block spaces and a line
 * break, because new text begins.
 */
function blank(markup: string, isBlock: boolean): string {
  return isBlock ? `${' '.repeat(markup.length - 1)}\n` : join(markup.length);
}
