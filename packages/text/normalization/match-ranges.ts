import { isLastDay } from './english/calendar-names.ts';
import type { Token } from './tokens.ts';
import { isPlain, numeralAt, valueOf } from './numerals.ts';
import { matchDate } from './match-dates.ts';
import { matchTime } from './match-times.ts';
import { matchMoney } from './match-money.ts';
import { NAMED_AFTER } from './match-latin.ts';
import { matchNumberOrQuantity } from './match-numbers.ts';
import { isTouching, matchAt, textBefore, tokenAt, type TextCursor } from './text-cursor.ts';

const DASH = / ?(?:-|–|—|~|～|〜) ?(?=[\d\p{Sc}.]|HK\$|US\$)/uy;
const HYPHEN = /-/;

/** The second or a later number of a list: 4-3-3. */
const LISTED_BEFORE = /\d-$/;

/** Matches 3-5 or 3-0, after `from` has been matched; null: no range follows. */
export function matchRange(source: TextCursor, from: Token): Token | null {
  const { text, at } = source;
  const dash = matchAt(DASH, text, at + from.text.length);
  if (dash === null || LISTED_BEFORE.test(textBefore(source))) return null;
  const toAt = at + from.text.length + dash[0].length;
  if (source.language === 'english' && isLastDay(text, toAt)) return null;
  const to = second({ ...source, at: toAt }, from);
  if (to === null || !areEndsOfRange(from, to)) return null;
  const end = toAt + to.text.length;
  // 5-3=2 is a sum, 1-2-3 a list, 1-800-FLOWERS a telephone number.
  if (/^\s?[=＝+×÷]|^-\d|^-\p{Lu}{5}/u.test(text.slice(end, end + 6))) return null;
  const whole = text.slice(at, end);
  // Two parts of a number that is a name are as long as they like: order no. 58-2291.
  if (NUMBERED_BEFORE.test(textBefore(source)) && to.text.length > from.text.length + 1) return null;
  if (from.kind === 'number' && to.kind === 'number' && isPlain(from.value) && isPlain(to.value)) {
    if (from.value.digits.startsWith('0') && from.value.digits.length > 1) return null;
    if (
      isSpanOfYears(from.value.digits, to.value.digits) ||
      isLaterYear(from.value.digits, to, text.slice(end)) ||
      isLaterInEnglish(source, from.value.digits, to.value.digits)
    )
      return { text: whole, kind: 'range', from: yearOf(from.value.digits), to: yearOf(to.value.digits) };
    if (isNamedRange(source, [from, to], text.slice(end, end + 6)))
      return { text: whole, kind: 'range', from: yearOf(from.value.digits), to: yearOf(to.value.digits) };
    const isResult = RESULT_AFTER.test(text.slice(end, end + 9)) || isResultBetween(source, text.slice(end, end + 6));
    if (HYPHEN.test(dash[0]) && (isResult || isInListOfScores(text, at, end)))
      return { text: whole, kind: 'score', home: from.value.digits, away: to.value.digits };
    if (valueOf(from.value) >= valueOf(to.value) && !areHours(source, valueOf(from.value), valueOf(to.value))) {
      // A score has two similar numbers, such as 3-0 or 112-108.
      const areLike = from.value.digits.length < 3 || valueOf(to.value) * 2 > valueOf(from.value);
      const isScore = HYPHEN.test(dash[0]) && from.value.digits.length < 4 && areLike;
      return isScore ? { text: whole, kind: 'score', home: from.value.digits, away: to.value.digits } : null;
    }
  }
  return { text: whole, kind: 'range', from, to };
}

/** Verbs of results, whose score may have the lower number first: 13-21敗陣. */
const RESULT_AFTER =
  /^ ?(?:[俾畀]人|落?敗|惜敗|慘敗|負(?!責)|輸|不敵|飲恨|(?:大|小|險)?勝|贏|領先|落後|打和|言和|逆轉|反勝|落?败|惜败|惨败|负(?!责)|输|不敌|饮恨|(?:大|小|险)?胜|战[胜平]|赢|领先|落后|击败|逆转|反胜| (?:loss|defeat|win|victory|draw)(?!\p{L}))/u;

/** Words before a result, and what can follow one: 比分0-1, lost 0-1 at home. */
const RESULT_BEFORE =
  /(?:比分|賽果|赛果|戰果|战果|波膽|全場|半場|全场|半场|[輸输贏赢勝胜](?:咗|了)?|\b(?:score|lost|lose|won|win|drew|final score|half-time)(?: (?:is|was|by))?)[：:]? ?$/u;
const RESULT_ENDS = /^(?:$|[，。！？；,.!?;)）]| (?:to|at|against|after|away)(?!\p{L})|[嘅喇啦㗎了])/u;

/** Teams by their names: countries, cities of China, and clubs that Hong Kong watches. */
const TEAM =
  '(?:香港|上海|北京|[廣广]州|山[東东]|成都|武[漢汉]|中[國国]|日本|南?[韓韩][國国]?|北韓|泰[國国]|印尼|越南|新加坡|澳洲|伊朗|卡塔爾|沙特|英格[蘭兰]|[蘇苏]格[蘭兰]|威[爾尔]斯|[法德美][國国]|西班牙|葡萄牙|意大利|荷[蘭兰]|比利[時时]|瑞[典士]|丹[麥麦]|挪威|波[蘭兰]|巴西|阿根廷|克[羅罗]地[亞亚]|墨西哥|烏拉圭|摩洛哥|曼[聯联城]|利物浦|[車车]路士|阿仙奴|[熱热]刺|[紐纽]卡素|[愛爱][華华]頓|韋斯咸|阿士東維拉|般尼|水晶宮|李斯特城|皇[馬马]|皇家馬德里|巴塞(?:隆拿)?|馬體會|拜仁(?:慕尼黑)?|多蒙特|祖雲達斯|[國国][際际]米[蘭兰]|米[蘭兰]|拿玻里|巴黎聖日耳門|[傑杰]志|南華|東方|理文|港隊)';
const BETWEEN_TEAMS = new RegExp(`${TEAM} ?$`, 'u');
const BEFORE_TEAM = new RegExp(`^ ?${TEAM}`, 'u');
/** Two teams before the result: 香港對日本0-2. */
const TEAMS_BEFORE = new RegExp(`${TEAM}(?:[主作]客|今場)?(?:[對对迎鬥]|迎[戰战]|[對对][陣阵])${TEAM}[：:]? ?$`, 'u');

function isResultBetween(source: TextCursor, after: string): boolean {
  const before = textBefore(source);
  return (
    (RESULT_BEFORE.test(before) && RESULT_ENDS.test(after)) ||
    (TEAMS_BEFORE.test(textBefore(source, 20)) && !/^ ?[月日號年個成度億萬%倍名位人次歲點至]/u.test(after)) ||
    (BETWEEN_TEAMS.test(before) && BEFORE_TEAM.test(after))
  );
}

/** Rooms and shops of three digits or more are read digit by digit: 201-203號舖. */
function isNamedRange(source: TextCursor, ends: readonly Token[], after: string): boolean {
  return source.language !== 'english' && ends.every(({ text }) => text.length >= 3) && NAMED_AFTER.test(after);
}

/** Days before hours: Mon-Fri 9-5. */
const DAYS_BEFORE = /[-–] ?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day)?s?[.,]? $/u;
/** A single day before hours, of which the second is past noon: Sat 10-2. */
const DAY_BEFORE = /(?:^|[\s,;(])(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day)?s?[.,]? $/u;
/** Words before hours of opening: open 10-6. */
const OPEN_BEFORE = /\b(?:open|hours|daily):? $/iu;
/** Verbs of a game, whose result follows the day: won on Sat 7-0. */
const GAME_BEFORE = /\b(?:won|beat|lost|drew)\b[^:;]*$/iu;

/** Work and business before hours: 返工9-6, 五天工作，9-6. */
const WORK_BEFORE = /(?:[返上]工|[返上]班|工作|輪班|營業|開放|辦公|工時|時間)[，,：:（( ]{0,2}$/u;

function areHours(source: TextCursor, from: number, to: number): boolean {
  const before = textBefore(source);
  if (WORK_BEFORE.test(before) && from >= 7 && from <= 12 && to >= 1 && to <= 9) return true;
  const isDay = (DAY_BEFORE.test(before) || OPEN_BEFORE.test(before)) && !GAME_BEFORE.test(textBefore(source, 30));
  return DAYS_BEFORE.test(before) || (isDay && from >= 7 && from <= 12 && to >= 1 && to <= 7);
}

/** Further pairs of a list, and how far it is seen. */
const PAIRS_BEFORE = /(?:\d{1,3}-\d{1,3} ?[,，、/ ] ?){1,5}$/u;
const PAIRS_AFTER = /^(?: ?[,，、/ ] ?\d{1,3}-\d{1,3}(?!-)){1,5}/u;
const MAX_PAIRS = 60;

/** Whether a pair is one of several, some of which fall: 21-19,15-21 are scores, 3-5,7-9 pages. */
function isInListOfScores(text: string, at: number, end: number): boolean {
  const [before = ''] = PAIRS_BEFORE.exec(text.slice(Math.max(0, at - MAX_PAIRS), at)) ?? [];
  const [after = ''] = PAIRS_AFTER.exec(text.slice(end, end + MAX_PAIRS)) ?? [];
  return [...`${before} ${after}`.matchAll(/(\d+)-(\d+)/gu)].some(([, home, away]) => Number(home) > Number(away));
}

function second(source: TextCursor, from: Token): Token | null {
  if (from.kind === 'date' || from.kind === 'year') return matchDate(source) ?? matchNumberOrQuantity(source);
  // The currency of $18K-20K applies to both, and so does what K is.
  const amount = from.kind === 'money' ? numeralAt(source.text, source.at, { isMoney: true }) : null;
  const bare = amount?.value.scale ? tokenAt(source, amount.length, { kind: 'number', value: amount.value }) : null;
  return matchTime(source) ?? matchMoney(source) ?? bare ?? matchNumberOrQuantity(source);
}

/**
 * Whether two tokens are ends of one range: of the same kind, or the first without the unit of the
 * second.
 */
function areEndsOfRange(from: Token, to: Token): boolean {
  if (from.kind === 'number') {
    return ['number', 'percent', 'quantity', 'temperature', 'money', 'time'].includes(to.kind) && !hasSign(to);
  }
  if (from.kind === 'date') return isDayOf(from) && (to.kind === 'date' ? isDayOf(to) : isDayNumber(to));
  if (from.kind === 'money') return to.kind === 'money' || to.kind === 'number';
  if (from.kind === 'year') return to.kind === 'number' || to.kind === 'year';
  return from.kind === to.kind && ['percent', 'quantity', 'temperature', 'time'].includes(from.kind);
}

/** A day and a month in digits: 3/11. */
function isDayOf(token: Extract<Token, { kind: 'date' }>): boolean {
  return token.shape === 'numeric' && token.year === null && token.day !== null;
}

function isDayNumber(token: Token): boolean {
  return token.kind === 'number' && isPlain(token.value) && /^(?:[1-9]|[12]\d|3[01])$/.test(token.value.digits);
}

function hasSign(token: Token): boolean {
  return 'value' in token && typeof token.value === 'object' && token.value.sign !== '';
}

const YEARS = /(\d{4})\/(\d{2}|\d{4})(?![\d/])/y;

/** Matches 2024/25, a school or financial year. */
export function matchSpanOfYears(source: TextCursor): Token | null {
  const match = isTouching(source) ? null : matchAt(YEARS, source.text, source.at);
  const [text = '', from = '', to = ''] = match ?? [];
  if (!isSpanOfYears(from, to) || Number(to) % 100 !== (Number(from) + 1) % 100) return null;
  return tokenAt(source, text.length, { kind: 'range', from: yearOf(from), to: yearOf(to) });
}

/** Two digits of years: 23/24球季, 08-09年; 20-30年 is rather how long something lasts. */
const SHORT_YEARS =
  /(\d{2})[-/](\d{2})(?= ?(?:球季|賽季|赛季|學年|学年|財年|财年|(?:財政|财政)?年度|season|(?:academic|school|financial|fiscal|tax) year))|(0\d|[789]\d)-(\d{2})(?= ?年(?![前內内級级]))/uy;

/** Matches the two years of a season or a school year. */
export function matchShortYears(source: TextCursor): Token | null {
  const match = isTouching(source) ? null : matchAt(SHORT_YEARS, source.text, source.at);
  if (match === null) return null;
  const [text, from = match[3]!, to = match[4]!] = match;
  if (Number(to) !== (Number(from) + 1) % 100) return null;
  return tokenAt(source, text.length, { kind: 'range', from: yearOf(from), to: yearOf(to) });
}

const NEIGHBORS = /([1-9]|1[0-2])\/([1-9]|1[0-2])(?= ?[月日號号級级歲岁點点次](?!\d))/uy;

/** Matches two numbers in sequence before a unit of time, "three or four days": 3/4日, 6/7月. */
export function matchNeighbors(source: TextCursor): Token | null {
  if (source.language === 'english' || isTouching(source)) return null;
  const [text = '', first = '', second = ''] = matchAt(NEIGHBORS, source.text, source.at) ?? [];
  if (text === '' || Number(second) !== Number(first) + 1) return null;
  const parts = [first, second].map((digits) => ({ kind: 'digits' as const, text: digits }));
  return tokenAt(source, text.length, { kind: 'code', parts });
}

/** Whether two digits are a later year of the same century: 1941-45年. */
function isLaterYear(from: string, to: Token, after: string): boolean {
  const isYear = /^ ?年(?!級|级)/u.test(after) && /^(?:1[1-9]|20)\d\d$/.test(from);
  return isYear && /^\d\d$/.test(to.text) && Number(to.text) > Number(from) % 100;
}

/** Names of things with a number, whose digits are no years: ref. no. 1960-80. */
const NUMBERED_BEFORE = /(?:\b(?:no|nos|ref|model|part|serial|code|id|size|number)\b\.?:?|[#$£€]) ?$/iu;

/** Whether two digits are a later year in English: 1960-80; 2010-12 may be December 2010. */
function isLaterInEnglish(source: TextCursor, from: string, to: string): boolean {
  if (source.language !== 'english' || !/^\d\d$/.test(to) || NUMBERED_BEFORE.test(textBefore(source))) return false;
  const isOfCentury = /^1[5-9]\d\d$/.test(from) || (/^20\d\d$/.test(from) && Number(to) > 12);
  return isOfCentury && Number(to) > Number(from) % 100;
}

/** Matches 2024-25, 1997-2003. */
function isSpanOfYears(from: string, to: string): boolean {
  if (!/^(?:19|20)\d\d$/.test(from)) return false;
  if (to.length === 2) return Number(to) === (Number(from) + 1) % 100;
  return /^(?:19|20)\d\d$/.test(to) && Number(to) > Number(from) && Number(to) - Number(from) < 120;
}

function yearOf(digits: string): Token {
  return { text: digits, kind: 'year', digits, suffix: '' };
}
