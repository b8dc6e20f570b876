import { decodeHTMLStrict } from 'entities';
import { withoutLeadIn } from './plain-text-lead-ins.ts';

/** Far longer than any summary; the rest is ignored. */
const MAX_CHARACTERS = 20_000;
/** Each level of nesting (a list in a quote in a list) takes a round. */
const MAX_ROUNDS = 40;

/** Zero-width joiners are kept only inside of emoji sequences. */
const INVISIBLE =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D|\u200D(?!\p{Extended_Pictographic})|[^\P{Cf}\u200D]|\p{Co}|\uFFFD/gu;
const CITATION = /【\d+(?::\d+)?†[^】\n]{0,80}】|\[\^[^\]\s]{1,40}\](?!:)/gu;
/** Reasoning before the answer. */
const REASONING = /^[\s\S]*<\/think(?:ing)?>/iu;
const HIDDEN_HTML = /<!--[\s\S]{0,2000}?-->|<!--|<(script|style)\b[^<>]*>[\s\S]{0,2000}?<\/\1\s*>/giu;
const LINE_TAG = /<(?:br|hr)\s*\/?>|<\/(?:p|div|li|ul|ol|tr|h[1-6]|blockquote|table)\s*>/giu;
const TAG = /<\/?[a-z][a-z\d-]{0,30}(?:\s[^<>]{0,500})?\/?>/giu;
const AUTOLINK = /<(?:[a-z][a-z\d+.-]{1,20}:[^\s<>]{0,2000}|([\w.+-]{1,64}@[\w.-]{1,255}))>/giu;
const ADDRESS =
  /(?:[a-z][a-z\d+-]{1,15}:\/\/|(?<![a-z\d@.])www\.)(?:[^\s<>()"'`*|\\^{}[\]\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}，。、！？；：（）「」『』【】《》]|\([^\s()]{0,200}\))*/u
    .source;
/** Includes brackets that contain only the URL, but not the punctuation after it. */
const URL_TEXT = new RegExp(` ?[(（[【] *${ADDRESS} *[)）\\]】]|${ADDRESS}(?<![.,;:!?])`, 'giu');
const LINK =
  /!?\[([^[\]]{0,2000})\]\(\s{0,3}(?:<[^<>\n]{0,2000}>|(?:[^\s()<>]|\([^\s()]{0,500}\)){0,2000})(?:\s{1,3}(?:"[^"]{0,500}"|'[^']{0,500}'))?\s{0,3}\)/gu;
const REFERENCE_LINK = /(?<=\S|^)!?\[([^[\]\n]{1,500})\]\[[^[\]\n]{0,100}\]/gu;
const LINK_DEFINITION = /^ {0,3}\[[^[\]^\n]{1,200}\]: *<?\S+>? *(?:["'(][^\n]*)?$/gmu;
const FOOTNOTE = /^ {0,3}\[\^[^\]\s]{1,40}\]: */gmu;
const FENCE = /^ *(?:`{3,}|~{3,}) *[\w+#.-]{0,30} *$|`{3,}|^ *~{3,}/gmu;
const CODE = /(?<!`)(`+)(?!`)([^`]|[^`](?:[^\n]|\n(?!\n)){0,1000}?[^`])\1(?!`)/gu;
/** Matches bold text, but not the stars in `f**k` and `s**t`. */
const STRONG = /(?<![A-Za-z](?=\*+[a-z]))(?<!\*)(\*{2,3})(?=[^\s*])([^]{0,600}?[^\s*])\1(?!\*)/gu;
/** Unclosed, as in a truncated answer. */
const STRAY_STRONG =
  /(?<![^\s\p{P}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])(?<!\*)\*{2,3}(?=[^\s*])|(?<=[^\s*]{2})\*{2,3}(?=\s|$)/gmu;
const EMPHASIS = /(?<![A-Za-z\d*\\])\*(?=[^\s*])([^*\n]{0,1000}?[^\s*\\])\*(?![A-Za-z\d*])/gu;
const UNDERLINED = /(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])([^\n]{0,300}?[^\s_])\1(?![\p{L}\p{N}_])/gu;
const STRUCK = /~~(?=[^\s~])([^\n]{0,300}?[^\s~])~~/gu;
const HIGHLIGHTED = /(?<![A-Za-z\d=])==(?=[^\s=])([^\n]{0,300}?[^\s=])==(?![A-Za-z\d=])/gu;
const ESCAPE = /\\([!-/:-@[-`{-~])/gu;

const RULE = /^[ \t]*(?:(?:[-*_=—–~#][ \t]*){2,}|[-=*+#•]|\d{1,3}\))$/gmu;
const HEADING = /^ *(?:#{1,6} +(.*?)(?: +#+)?|#{2,6}(?=[^\s#])(.*?)) *$/gmu;
const QUOTE = /^ *(?:>(?: |(?![\d=\s])|(?=>))|>$)+/gmu;
const BULLET = /^ *(?:[-*+–—] +|[•●▪◦‣・∙⁃■◆►▶➤] *)(?:\[[ xX]\] +)?/u;
/** "- 5 度" is a negative number, not a list item. */
const SIGNED = /^ *[-+–] +(?!\d{1,3}[.)] )\.?\d/u;
const NUMBER =
  /^ *(?:\d{1,3}\) +|\d{1,3}\. +(?!\d{1,2}\.)|\d{1,3}[.)](?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}「『“])|\d{1,3}[、．] *(?=\D)|[(（]\d{1,3}[)）] *|[①-⑳] *)/u;
const DELIMITER_ROW = /^ *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$/u;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const QUOTED = /^(?:"[^"]*"|“[^“”]*”|「[^「」]*」|『[^『』]*』|‘[^‘’]*’|«[^«»]*»|'[^']*')$/u;

const MATH =
  /\$\$([^$]{1,1000})\$\$|\$([A-Za-z]|[^$\n]{0,200}[\\^_{=][^$\n]{0,200})\$(?!\d)|\\\(([^\n]{1,500}?)\\\)|\\\[([^[\]]{1,500}?)\\\]/gu;
const MATH_SIGNS: Readonly<Record<string, string>> = {
  times: '×',
  cdot: '·',
  div: '÷',
  pm: '±',
  approx: '≈',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  neq: '≠',
  ne: '≠',
  to: '→',
  rightarrow: '→',
  infty: '∞',
  circ: '°',
  degree: '°',
  pi: 'π',
  alpha: 'α',
  beta: 'β',
  Delta: 'Δ',
  mu: 'μ',
};

/**
 * Removes Markdown, HTML, TeX marks, URLs, invisible characters and lead-ins ("Sure, here is …:",
 * quotes around the whole) from a model's answer. Lists and tables become lines. Text that only
 * resembles Markdown (5 * 3, snake_case, C#, - 5 度) stays. May be empty. Idempotent.
 *
 * Not a Markdown library, for the reasons in docs/decisions/0013-video-libraries.md.
 */
export function plainText(answer: string): string {
  let text = answer.slice(0, MAX_CHARACTERS);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const stripped = stripOnce(text);
    if (stripped === text) return text;
    text = stripped;
  }
  return '';
}

function stripOnce(text: string): string {
  const clean = visible(text).replace(REASONING, '');
  const blocks = withoutBlocks(withoutHtml(clean));
  return withoutFrame(decodeHTMLStrict(withoutInline(blocks)));
}

function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/gu, '\n')
    .replace(/[\t\p{Zs}]/gu, ' ')
    .replace(/[^\n\P{Cc}]/gu, '')
    .replace(INVISIBLE, '');
}

function withoutHtml(text: string): string {
  return text
    .replace(AUTOLINK, (_, address: string | undefined) => address ?? '')
    .replace(HIDDEN_HTML, '')
    .replace(LINE_TAG, '\n')
    .replace(TAG, '');
}

/** Removes fences, headings, quotes, rules, lists, tables and the indentation of code. */
function withoutBlocks(text: string): string {
  const lines = text
    .replace(FENCE, '')
    .replace(LINK_DEFINITION, '')
    .replace(FOOTNOTE, '')
    .replace(QUOTE, '')
    .replace(HEADING, (_, spaced: string | undefined, close: string | undefined) => spaced ?? close ?? '')
    .split('\n');
  return withoutLists(withoutTables(lines)).join('\n').replace(RULE, '');
}

function withoutLists(lines: readonly string[]): string[] {
  const areSigned =
    lines.filter((line) => SIGNED.test(line)).length === 1 && lines.filter((line) => BULLET.test(line)).length === 1;
  return lines.map((line) => (areSigned && SIGNED.test(line) ? line : line.replace(BULLET, '')).replace(NUMBER, ''));
}

/** Table rows become comma-separated lines; any line between bars counts as a row. */
function withoutTables(lines: readonly string[]): string[] {
  const rows = new Set<number>();
  const dropped = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (/^ *\|.*\| *$/u.test(line)) rows.add(index);
    if (!line.includes('|') || !DELIMITER_ROW.test(line)) continue;
    dropped.add(index);
    if (lines[index - 1]?.includes('|') === true) rows.add(index - 1);
    for (let next = index + 1; lines[next]?.includes('|') === true; next += 1) rows.add(next);
  }
  return lines.flatMap((line, index) => (dropped.has(index) ? [] : [rows.has(index) ? cellsOf(line) : line]));
}

function cellsOf(row: string): string {
  const cells = row
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
  return cells.join(EAST_ASIAN.test(row) ? '，' : ', ');
}

function withoutInline(text: string): string {
  return text
    .replace(MATH, (_, ...groups: unknown[]) =>
      formula(groups.slice(0, 4).find((group) => typeof group === 'string') ?? ''),
    )
    .replace(LINK, '$1')
    .replace(REFERENCE_LINK, '$1')
    .replace(CITATION, '')
    .replace(CODE, (_, _ticks: string, code: string) => code.trim())
    .replace(STRONG, '$2')
    .replace(EMPHASIS, '$1')
    .replace(UNDERLINED, '$2')
    .replace(STRUCK, '$1')
    .replace(HIGHLIGHTED, '$1')
    .replace(STRAY_STRONG, '')
    .replace(URL_TEXT, '')
    .replace(/ +(?=[，。、！？；：）」』】])/gu, '')
    .replace(ESCAPE, '$1')
    .replace(/\\$/gmu, '');
}

function formula(tex: string): string {
  return tex
    .replace(/\\(?:text|mathrm|mathbf|mathit|operatorname)\{([^{}]*)\}/gu, '$1')
    .replace(/\\d?frac\{([^{}]*)\}\{([^{}]*)\}/gu, '$1/$2')
    .replace(/\\sqrt\{([^{}]*)\}/gu, '√$1')
    .replace(/\\([A-Za-z]+)/gu, (whole, name: string) => MATH_SIGNS[name] ?? whole)
    .replace(/[{}]/gu, '')
    .trim();
}

/** Collapses white space and removes the lead-in and quotes around the summary. */
function withoutFrame(text: string): string {
  const tidy = text
    .replace(/ {2,}/gu, ' ')
    .replace(/ *\n[ \n]*/gu, '\n')
    .trim();
  const bare = withoutLeadIn(tidy);
  return QUOTED.test(bare) ? bare.slice(1, -1).trim() : bare;
}
