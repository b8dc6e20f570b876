import { SENTENCE_BEGINS } from '#text/normalization/sentence-ends.ts';
import { calendarNames, monthInSpan } from './calendar-names.ts';
import type { TokenContext } from '#text/normalization/tokens.ts';

/** Words that are always abbreviations, with or without the point. */
const PLAIN: Readonly<Record<string, string>> = {
  mr: 'Mister',
  mrs: 'Missus',
  ms: 'Miz',
  prof: 'Professor',
  'e.g': 'for example',
  'i.e': 'that is',
  'a.m': 'A M',
  'p.m': 'P M',
  'p.a': 'per annum',
  etc: 'et cetera',
  vs: 'versus',
  approx: 'approximately',
  dept: 'department',
  jr: 'Junior',
  sr: 'Senior',
  ltd: 'Limited',
  inc: 'Incorporated',
  corp: 'Corporation',
  ave: 'Avenue',
  capt: 'Captain',
  sgt: 'Sergeant',
  lt: 'Lieutenant',
  rev: 'Reverend',
  incl: 'including',
  excl: 'excluding',
  thx: 'thanks',
  pls: 'please',
  plz: 'please',
  'w/': 'with',
  'w/o': 'without',
  mins: 'minutes',
  hrs: 'hours',
  pcs: 'pieces',
  mth: 'month',
  mths: 'months',
  yr: 'year',
  yrs: 'years',
  pkts: 'packets',
  qty: 'quantity',
  tsp: 'teaspoons',
  tbsp: 'tablespoons',
  govt: 'government',
  sq: 'square',
  mph: 'miles per hour',
  kph: 'kilometres per hour',
  lv: 'level',
  bldg: 'building',
  tmr: 'tomorrow',
  ppl: 'people',
  msg: 'message',
  nvm: 'never mind',
  blvd: 'Boulevard',
  ext: 'extension',
  xmas: 'Christmas',
  "x'mas": 'Christmas',
};

/** Words that are abbreviations only with the point; without it they are other words. */
const POINTED: Readonly<Record<string, string>> = {
  gen: 'General',
  hon: 'Honourable',
  co: 'Company',
  fig: 'figure',
  esp: 'especially',
  apt: 'apartment',
  vol: 'volume',
  est: 'estimated',
  temp: 'temperature',
  min: 'minimum',
  max: 'maximum',
  col: 'Colonel',
  sen: 'Senator',
  gov: 'Governor',
  maj: 'Major',
  cpl: 'Corporal',
};

/** Parts of laws and books, before a number: s. 26(1), pp. 3-5. */
const NUMBERED: Readonly<Record<string, string>> = {
  s: 'section',
  ss: 'sections',
  sec: 'section',
  secs: 'sections',
  p: 'page',
  pp: 'pages',
  vol: 'volume',
  vols: 'volumes',
  figs: 'figures',
  para: 'paragraph',
  paras: 'paragraphs',
  cl: 'clause',
  cls: 'clauses',
  op: 'opus',
  ex: 'exercise',
  sch: 'schedule',
  ch: 'chapter',
  chs: 'chapters',
  art: 'article',
  arts: 'articles',
  cap: 'chapter',
  caps: 'chapters',
  reg: 'regulation',
  regs: 'regulations',
  r: 'rule',
  rr: 'rules',
};

/** Short names of what a number counts, singular and plural: 30 mpg, 5 gal, 25bps. */
const COUNTED: Readonly<Record<string, readonly [string, string]>> = {
  mpg: ['mile per gallon', 'miles per gallon'],
  bps: ['basis point', 'basis points'],
  gal: ['gallon', 'gallons'],
  gals: ['gallon', 'gallons'],
  tsps: ['teaspoon', 'teaspoons'],
  tbsps: ['tablespoon', 'tablespoons'],
  wk: ['week', 'weeks'],
  wks: ['week', 'weeks'],
};
/** Marks beside a word that is a clause of its own: nvm, I got it. */
const isClause = (before: string, after: string) =>
  /(?:^|[,.!?;:\n]\s*|\b(?:ok|oh|ah|well|no|yeah) )$/iu.test(before) &&
  /^(?:\s*$|\s*[,.!?;\n]| I(?!\p{L}))/u.test(after);

/** Days whose short forms are no other words; Sun, Sat and Mon are. */
const CLEAR_DAY = /^(?:Tues?|Wed|Thu(?:rs?)?|Fri)$/;
/** A date before a day, and Chinese words beside one: 13/11 Sat, 下個Mon, Sun晚. */
const DAY_BEFORE = /(?:\d[/.-]\d{1,2}|[日號号]) ?$|[下上今逢每呢嗰][個个]? ?$/u;
const DAY_AFTER =
  /^ ?(?:[晚朝早夜晝]|上[午晝]|下[午晝]|放[假工]|返[工學]|收[工學]|開[會工]|去(?!年)|休息|公休|得閒|有空|中午|凌晨)/u;
const DAY_BESIDE = /^ ?(?:[/&、至到同–—]|and |or ) ?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?!\p{Script=Latin})/u;
const DAY_BESIDE_BEFORE =
  /(?<!\p{Script=Latin})(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun) ?(?:[/&、至到同–—]|and|or) ?$/u;
/** A date ends before the day of the week in brackets: 13 Aug (Tue). */
const BRACKET_BEFORE = /\d(?:st|nd|rd|th)?,? ?[(（]$|[a-z]\.? ?[(（]$/u;
const BRACKET_AFTER = /^\.?[)）]/u;
const DATE_FOLLOWS = /^\.?,? ?(?:\d|[(]|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))/u;

/** The next sentence begins with one of these words rather than with a name. */
const NAME_FOLLOWS = new RegExp(`^\\.?\\s+(?!${SENTENCE_BEGINS}|(?:North|South|East|West)(?!\\p{L}))\\p{Lu}`, 'u');
/** A letter for a point of the compass: Main St. W. */
const DIRECTION_FOLLOWS = /^\.?\s+[NSEW](?!\p{L})/u;
/** Dr. He and Dr. So are doctors, unless a house stands before them: 5 Lake Dr. He waved. */
const WORD_FOLLOWS = /^\.?\s+\p{Lu}/u;
const HOUSE_BEFORE = /\d[\p{L}\d'’ ]{0,30}$/u;
const NUMBER_FOLLOWS = /^\.?\s?\d/u;
/** Singular and plural. */
const ONE_BEFORE = /(?:(?:^|[^\d.,/])1|(?<!\d ?)[½¼¾⅓⅔]|(?<!\d )\d\/\d)(?: of a)? ?$/u;
/** A name, or the number of a street: Baker, John's, 42nd. */
const NAME_BEFORE = /(?:\p{Lu}[\p{L}'’]*|\d(?:st|nd|rd|th))\s$/u;

/** The road before the point of the compass that it lies in: Queen's Rd. E., King's Road W. */
const ROAD_BEFORE = /(?:R(?:oa)?d|St(?:reet)?|Ave(?:nue)?|Blvd|Boulevard)\.? $/u;
const DIRECTIONS: Readonly<Record<string, string>> = { N: 'North', S: 'South', E: 'East', W: 'West' };

/** The point of the compass that a letter behind a road stands for; null: another letter. */
export function directionOf(letters: string, before: string): string | null {
  return ROAD_BEFORE.test(before) ? (DIRECTIONS[letters] ?? null) : null;
}

/** Expands an abbreviation by its context; null: the text is none. */
export function expandAbbreviation(text: string, { before, after }: TokenContext): string | null {
  const isPointed = text.endsWith('.');
  const bare = isPointed ? text.slice(0, -1) : text;
  const key = bare.toLowerCase();
  if (key === 'no' || key === 'nos') {
    return NUMBER_FOLLOWS.test(after) && (isPointed || after.startsWith('.'))
      ? capitalized(bare, key === 'no' ? 'number' : 'numbers')
      : null;
  }
  if (bare === 'Dr') {
    const isRoad = NAME_BEFORE.test(before) && !NAME_FOLLOWS.test(after);
    return isRoad && (!WORD_FOLLOWS.test(after) || HOUSE_BEFORE.test(before)) ? 'Drive' : 'Doctor';
  }
  if (bare === 'St') {
    const isRoad = NAME_BEFORE.test(before) && (!NAME_FOLLOWS.test(after) || DIRECTION_FOLLOWS.test(after));
    return isRoad ? 'Street' : 'Saint';
  }
  if (bare === 'Mt' && (isPointed || NAME_FOLLOWS.test(after))) return 'Mount';
  if (bare === 'Rd') return 'Road';
  if (key === 'rm' && NUMBER_FOLLOWS.test(after)) return 'room';
  if (key === 'blk' && /^ ?(?:\d|[A-Z](?!\p{L}))/u.test(after)) return 'block';
  if (key === 'pts' && /\d ?$/.test(before)) return 'points';
  if (key === 'vols' && /\d ?$/.test(before)) return 'volumes';
  if (key === 'ft' && /sq\.? ?$/i.test(before)) return 'feet';
  if ((key === 'tsp' || key === 'tbsp') && ONE_BEFORE.test(before)) return key === 'tsp' ? 'teaspoon' : 'tablespoon';
  if (key === 'nvm' && !isClause(before, after)) return null;
  if (bare === 'Ms' && before.endsWith('&')) return "M's";
  if ((key === 'c' || key === 'ca') && isPointed) return 'circa';
  if (Object.hasOwn(COUNTED, bare) && /\d ?$/.test(before)) return COUNTED[bare]![ONE_BEFORE.test(before) ? 0 : 1];
  const days = calendarNames(bare);
  const month = monthInSpan(bare, before, after);
  if (month !== null) return month;
  // Sun and Sat alone are other words.
  if (
    days !== null &&
    (isPointed ||
      days.length > 1 ||
      DATE_FOLLOWS.test(after) ||
      (CLEAR_DAY.test(bare) && !/^ \p{Lu}\p{Ll}/u.test(after)) ||
      DAY_BEFORE.test(before) ||
      DAY_AFTER.test(after) ||
      DAY_BESIDE.test(after) ||
      DAY_BESIDE_BEFORE.test(before) ||
      (BRACKET_BEFORE.test(before) && BRACKET_AFTER.test(after)))
  ) {
    return days.join(' to ');
  }
  if (isPointed && NUMBER_FOLLOWS.test(after) && Object.hasOwn(NUMBERED, key))
    return capitalized(bare, NUMBERED[key] ?? key);
  const pointed = isPointed ? POINTED[key] : undefined;
  if (pointed !== undefined) return capitalized(bare, pointed);
  const isShouted = bare.length > 1 && bare === bare.toUpperCase() && !isPointed;
  return isShouted || !Object.hasOwn(PLAIN, key) ? null : (PLAIN[key] ?? null);
}

function capitalized(written: string, word: string): string {
  return /^\p{Lu}/u.test(written) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}
