import type { Token } from './tokens.ts';
import { isTouching, tokenAt, matchAt, textBefore, type TextCursor } from './text-cursor.ts';

const HALF = '(?: ?([AaPp])(?:\\.?[Mm]\\b\\.?))?';
const CLOCK = new RegExp(`(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?![\\d:])${HALF}`, 'y');
const POINTED = new RegExp(`(\\d{1,2})\\.(\\d{2}) ?([AaPp])\\.?[Mm]\\b\\.?`, 'y');
/** A pace or a result in minutes and seconds, 6'15", no height: it has too many inches. */
const PACE = /(\d{1,2})['′](\d{2})(?:''|["″”])?(?!\d)/y;
const PACE_BEFORE =
  /(?:配速|步速|均速|[時时][間间]|成[績绩]|用[時时]|完成|\bpace|\btime)(?: ?(?:大?[約约]|係|是|[為为]|[：:]|is|was|of))? ?$/iu;
/** A time on a stopwatch: 1:23.45. */
const LAP = /(\d{1,2}):([0-5]\d)\.(\d{1,3})(?!\.?\d|[:%])/y;
/** Words before how long something takes: 片長1:30:00, 用咗3:45:20. */
const LENGTH_BEFORE =
  /(?:片[長长]|[時时][長长]|全[長长]|[長长]度|[歷历][時时]|需[時时]|[用耗花跑行游踩做睇播錄录][咗了]|[用耗][時时]|[紀纪][錄录]|成[績绩]|最快|[配步均]速|(?:完成|完賽|完赛|所需|播放)[時时][間间])(?:[大只]?[約约]|只[需用要]?|近|超[過过]|係|系|是|[為为]|[：:])? ?$/u;
const LENGTH = /(\d{1,3}):([0-5]\d):([0-5]\d)(?![\d:.])(?! ?[AaPp]\.?[Mm])/y;
/** Minutes and seconds: 48:32. */
const SHORT_LENGTH = /(\d{1,3}):([0-5]\d)(?![\d:.]*\d)(?! ?[AaPp]\.?[Mm])/y;
/** The length of what is played, and a pace, which is hardly an hour. */
const PLAYED_BEFORE = /(?:(?:片|歌|曲|影片|視頻|视频|時|时)[長长]|[配步均]速)(?:係|是|[為为]|[：:])? ?$/u;
/** A distance, or a time, before how long someone ran: 5K 25:30. */
const RUN_BEFORE = /(?:[時时][間间]|\d ?(?:[Kk]|[Kk]m|公里|米))(?:[：:]|係|是)? ?$/u;
/** Words before a result in minutes: ran 10 km in 48:32. */
const RESULT_BEFORE =
  /\b(?:in|took|takes|lasts|lasted|runs|clocked|at|of(?<=(?:time|best|record|length) of)|\d+ ?(?:k|km|miles?|m))(?: just| about| only)? $/iu;
const RESULT_AFTER = /^(?: long(?!\p{L})|-(?:long|minute))/u;
const MAX_HOUR = 24;
const HOUR = /(\d{1,2}) ?([AaPp])(?:[Mm]\b|\.[Mm]\.)/y;
/** Noon: 12nn, 12:00 noon. */
const NOON = /12(?:[:.]00)? ?(?:nn|NN|noon|Noon)(?![\p{Script=Latin}\d])/uy;
const CHINESE = /(\d{1,2})([點点時时])(?:([半正整])|(\d{1,2})分(?!鐘|钟|之)(?:(\d{1,2})秒)?|(\d{2})(?![\d%個个]))?/uy;

/** Four digits before what begins at that time: 1930入席. */
const FOUR_DIGITS = /([01]\d|2[0-3])([0-5]\d)(?= ?(?:入席|開席|开席|恭候|集合|起飛|起飞|開波|埋位|埋枱|接更|交更))/uy;
/** The first and the last bus or train before the time of it: 尾班2345. */
const DEPARTURE_BEFORE = /(?:[首頭尾末]班車?|\bETA|\bETD)[：:]? ?$/u;
const ANY_FOUR = /([01]\d|2[0-3])([0-5]\d)(?!\d)/y;

const AT_NOON = {
  kind: 'time',
  hour: 12,
  minute: null,
  second: null,
  isHalf: false,
  half: 'pm',
  shape: 'clock',
} as const;

/** Matches a time of day. */
export function matchTime(source: TextCursor): Token | null {
  if (isTouching(source)) return null;
  return pace(source) ?? duration(source) ?? lapTime(source) ?? clockTime(source) ?? chineseTime(source);
}

/** The time of a stamp behind its date, 2024-03-01T14:30:00Z. */
const OF_STAMP = /T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?(?![\d:])/y;

/** Matches the time of a stamp with the letter before it. */
export function matchTimeOfStamp(source: TextCursor): Token | null {
  if (!/\d{4}-\d\d-\d\d$/.test(textBefore(source))) return null;
  const [written, hour, minute, second = '00'] = matchAt(OF_STAMP, source.text, source.at) ?? [];
  if (written === undefined) return null;
  const parts = { hour: Number(hour), minute: Number(minute), second: second === '00' ? null : Number(second) };
  return tokenAt(source, written.length, { kind: 'time', ...parts, isHalf: false, half: null, shape: 'clock' });
}

function pace(source: TextCursor): Token | null {
  const next = source.text.charAt(source.at + 1) + source.text.charAt(source.at + 2);
  const [written, minute = '', second = ''] = /['′]/.test(next) ? (matchAt(PACE, source.text, source.at) ?? []) : [];
  if (written === undefined || Number(second) > 59 || /°\s?$/u.test(textBefore(source))) return null;
  const isMarked = written.length > minute.length + second.length + 1;
  if (!PACE_BEFORE.test(textBefore(source)) && !(isMarked && Number(second) > 11)) return null;
  const [minutes, seconds] = [Number(minute), Number(second)];
  return source.language === 'english'
    ? tokenAt(source, written.length, { ...AT_NOON, hour: minutes, minute: seconds, half: null })
    : tokenAt(source, written.length, { kind: 'duration', hours: 0, minutes, seconds });
}

function duration(source: TextCursor): Token | null {
  if (source.language === 'english') return null;
  const isLength = LENGTH_BEFORE.test(textBefore(source));
  const match = isLength ? matchAt(LENGTH, source.text, source.at) : null;
  if (match === null) return shortLength(source, isLength);
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(Number);
  if (hours + minutes + seconds === 0) return null;
  return tokenAt(source, match[0].length, { kind: 'duration', hours, minutes, seconds });
}

/** Matches how many minutes and seconds something takes. */
function shortLength(source: TextCursor, isLength: boolean): Token | null {
  const [written, minutes = '', seconds = ''] = matchAt(SHORT_LENGTH, source.text, source.at) ?? [];
  if (written === undefined || !(isLength || RUN_BEFORE.test(textBefore(source)))) return null;
  if (Number(minutes) <= MAX_HOUR && !PLAYED_BEFORE.test(textBefore(source))) return null;
  const [whole, rest] = [Number(minutes), Number(seconds)];
  return tokenAt(source, written.length, { kind: 'duration', hours: 0, minutes: whole, seconds: rest });
}

/** Whether minutes and seconds are the result of a run, and no score: in 48:32. */
function isResult(source: TextCursor, length: number): boolean {
  return (
    source.language === 'english' &&
    (RESULT_BEFORE.test(textBefore(source, 24)) || RESULT_AFTER.test(source.text.slice(source.at + length)))
  );
}

function lapTime(source: TextCursor): Token | null {
  const [whole, minutes = '', seconds = '', fraction = ''] = matchAt(LAP, source.text, source.at) ?? [];
  // The minutes of 03:04:05.678 are no lap.
  if (whole === undefined || textBefore(source).endsWith(':')) return null;
  if (/^ ?[ap]\.?m/iu.test(source.text.slice(source.at + whole.length))) return null;
  return tokenAt(source, whole.length, { kind: 'lap', minutes, seconds, fraction });
}

function clockTime(source: TextCursor): Token | null {
  const { text, at } = source;
  const noon = matchAt(NOON, text, at);
  if (noon !== null) return tokenAt(source, noon[0].length, AT_NOON);
  const clock = matchAt(CLOCK, text, at) ?? fourDigits(source) ?? pointedOrHour(source);
  if (clock === null) return null;
  const [whole, hourText = '', minuteText, secondText, letter] = clock;
  const hour = Number(hourText);
  const minute = minuteText === undefined ? null : Number(minuteText);
  const second = secondText === undefined ? null : Number(secondText);
  if ((minute ?? 0) > 59 || (second ?? 0) > 59) return null;
  if (hour > MAX_HOUR && !(second === null && (minute ?? 0) > 0 && isResult(source, whole.length))) return null;
  const half = letter === undefined ? null : letter.toLowerCase() === 'a' ? 'am' : 'pm';
  return tokenAt(source, whole.length, { kind: 'time', hour, minute, second, isHalf: false, half, shape: 'clock' });
}

/** Matches 1930 beside what tells that it is a time. */
function fourDigits(source: TextCursor): RegExpExecArray | null {
  const { text, at } = source;
  return (
    matchAt(FOUR_DIGITS, text, at) ?? (DEPARTURE_BEFORE.test(textBefore(source)) ? matchAt(ANY_FOUR, text, at) : null)
  );
}

/** Matches 3.30pm and 8am; returns the groups that `CLOCK` has. */
function pointedOrHour({ text, at }: TextCursor): ((string | undefined)[] & { 0: string }) | null {
  const pointed = matchAt(POINTED, text, at);
  if (pointed !== null) return [pointed[0], pointed[1], pointed[2], undefined, pointed[3]];
  const hour = matchAt(HOUR, text, at);
  return hour === null ? null : [hour[0], hour[1], undefined, undefined, hour[2]];
}

function chineseTime(source: TextCursor): Token | null {
  const match = matchAt(CHINESE, source.text, source.at);
  if (match === null) return null;
  const [whole, hourText = '', , word, minutes, seconds, bare] = match;
  const hour = Number(hourText);
  const minuteText = minutes ?? bare;
  const minute = minuteText === undefined ? null : Number(minuteText);
  const second = seconds === undefined ? null : Number(seconds);
  if (hour > 24 || (minute ?? 0) > 59 || (second ?? 0) > 59) return null;
  const isHalf = word === '半';
  // The words 正 and 整 after a time are separate tokens.
  const length = word === undefined || isHalf ? whole.length : whole.length - 1;
  return tokenAt(source, length, { kind: 'time', hour, minute, second, isHalf, half: null, shape: 'chinese' });
}
