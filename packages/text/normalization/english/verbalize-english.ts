import {
  plainNumeral,
  type Token,
  type TokenContext,
  type Numeral,
  type VerbalizedWord,
  type VerbalizeToken,
} from '#text/normalization/tokens.ts';
import { withoutSquares } from '#text/normalization/match-squared.ts';
import { lettersInHashtag } from '#text/normalization/acronyms.ts';
import { isAfterPower, isBeforeExponent, isRaised, variableExponent } from '#text/normalization/powers.ts';
import {
  AMOUNT_AFTER,
  FLOOR_BEFORE,
  GROUND_BEFORE,
  isBeforeNetworkLength,
  isBetweenCodes,
  isPerTime,
  isPerUnit,
  isEnglishStar,
  MINUS_GRADE_AFTER,
  MINUS_GRADE_BEFORE,
  NOTE_BEFORE,
} from '#text/normalization/short-forms.ts';
import { isReign } from '#text/normalization/reigns.ts';
import { isBetweenTerms } from '#text/normalization/formulas.ts';
import { unitAt } from '#text/normalization/units.ts';
import { verbalizeAddress } from './verbalize-address.ts';
import { chapterAndVerse, isBetweenVerses, isNumberOfBook } from './bible-verses.ts';
import { isDayInSpan } from './calendar-names.ts';
import { directionOf, expandAbbreviation } from './abbreviations.ts';
import {
  isOne,
  belowHundredInWords,
  digitByDigit,
  identifierInWords,
  numeralInWords,
  ordinalInWords,
  integerInWords,
} from './english-numbers.ts';
import { currencyWords, SYMBOL_WORDS, UNIT_WORDS } from './english-units.ts';
import { spell, spoken, verbalizeCode, verbalizeVersion, verbalizeWord } from './verbalize-codes.ts';
import { verbalizeFraction } from './verbalize-fraction.ts';
import { hoursOfDay, verbalizeDate, verbalizeTime, verbalizeYear } from './verbalize-times.ts';

const CHINESE_WORDS = new Intl.Segmenter('zh', { granularity: 'word' });

/**
 * Verbalizes a token in English; see `VerbalizeToken`. British, as in Hong Kong: "one hundred and
 * five", day before month, "oh" for the zero of years, times, rooms and buses, but "zero" in
 * telephone numbers, with "double" and "triple"; `$12.50` is "twelve dollars fifty". Chinese
 * characters become Cantonese words.
 */
export const verbalizeEnglish: VerbalizeToken = (token, context) => {
  // The possessive of a number belongs to it: the G20's leaders.
  if (token.text === 's' && /\d'$/.test(context.before)) return [];
  const words = wordsOf(token, context);
  const last = words.at(-1);
  if (last === undefined || !/\d$/.test(token.text) || !/^'s(?![\p{L}\d])/u.test(context.after)) return words;
  return [...words.slice(0, -1), { ...last, spokenForm: `${last.spokenForm}'s` }];
};

function wordsOf(token: Token, context: TokenContext): VerbalizedWord[] {
  const spokenForm = spokenFormOf(token, context);
  if (spokenForm !== null) return spokenForm === '' ? [] : [{ written: token.text, language: 'english', spokenForm }];
  return verbalizeInParts(token, context);
}

/** Reads a token that is one word; null for a token of several words. */
function spokenFormOf(token: Token, context: TokenContext): string | null {
  switch (token.kind) {
    case 'latin':
      if (token.text === "I's" && OWNER_BEFORE.test(context.before)) return "the First's";
      if (token.text === 'I') return firstInWords(context) ?? 'I';
      return (
        verbalizePerUnit(token.text, context) ?? expandAbbreviation(token.text, context) ?? verbalizeWord(token.text)
      );
    case 'letters':
      return lettersInWords(token, context);
    case 'number':
      // 5/F is the fifth floor in Hong Kong.
      if (isNumberOfBook(token.value.digits, context.after)) return titled(ordinalInWords(token.value.digits));
      if (isDayInSpan(token.value.digits, context)) return `the ${ordinalInWords(token.value.digits)}`;
      if (/^\/F\b/.test(context.after)) return ordinalInWords(token.value.digits);
      // A code of telephones between their signs: *123#.
      if (context.before.endsWith('*') && /^[*#]/.test(context.after)) return digitByDigit(token.value.digits);
      return hoursOfDay(token.text, context) ?? verbalizeNumber(token.value);
    case 'power':
      return `to the power of ${numeralInWords(token.value)}`;
    case 'nth-power':
      return `to the power of N${token.added === null ? '' : ` ${numeralInWords(token.added)}`}`;
    case 'lap':
      return `${countOf(plainNumeral(token.minutes), ['minute', 'minutes'])} ${numeralInWords({ ...plainNumeral(String(Number(token.seconds))), fraction: token.fraction })} seconds`;
    case 'ratio':
      return ratioInWords(token.members.map(numeralInWords));
    case 'ordinal':
      return ordinalInWords(token.value.digits);
    case 'year':
      return verbalizeYear(token);
    case 'date':
      return verbalizeDate(token, context.before);
    case 'time':
      return verseInWords(token, context) ?? verbalizeTime(token);
    case 'money':
      return verbalizeMoney(token, isAttribute(token, context));
    case 'percent':
      return `${numeralInWords(token.value)} ${token.per === 100 ? 'percent' : 'per mille'}`;
    case 'fraction':
      return verbalizeFraction(token, context);
    case 'range':
      return verbalizeRange(token.from, token.to, context);
    case 'score':
      return (
        verseInWords(token, context) ??
        `${goalsInWords(token.home)} ${token.away !== '0' && token.text.includes(':') ? 'to ' : ''}${goalsInWords(token.away)}`
      );
    case 'temperature':
      return `${countOf(token.value, ['degree', 'degrees'])} ${token.scale === 'C' ? 'Celsius' : 'Fahrenheit'}`;
    case 'quantity':
      if (token.unit === 'h') {
        const time = hoursOfDay(token.value.digits, { before: context.before, after: ' hours' });
        if (time !== null) return `${time} hours`;
      }
      if (/(?:cc|㏄)$/iu.test(token.text)) return `${numeralInWords(token.value)} C C`;
      return isAttribute(token, context)
        ? `${numeralInWords(token.value)} ${UNIT_WORDS[token.unit][0]}`
        : countOf(token.value, UNIT_WORDS[token.unit]);
    case 'roman':
      return isReign(context)
        ? `the ${titled(ordinalInWords(String(token.value)))}`
        : titled(integerInWords(String(token.value)));
    case 'symbol':
      return symbolWord(token.text, context);
    case 'mark':
    case 'silent':
      return '';
    default:
      return null;
  }
}

/** Reads letters, or what a letter stands for beside a number, a road or a ruler. */
function lettersInWords(token: Extract<Token, { kind: 'letters' }>, { before, after }: TokenContext): string {
  if (token.letters === 'F' && [FLOOR_BEFORE, GROUND_BEFORE].some((floor) => floor.test(before))) return 'floor';
  if (token.letters === 'G' && /^\/F(?![\p{L}\d])/u.test(after)) return 'ground';
  if (token.letters === 'X' && isBetweenNumbers({ before, after })) return SIZE_BEFORE.test(before) ? 'by' : 'times';
  if (token.text === 'x' && /\d\s$/.test(before) && /^\s\p{L}/u.test(after)) return 'times';
  if (WORLD_WARS[token.text] !== undefined) return WORLD_WARS[token.text]!;
  if (/^[VX]$/.test(token.letters) && MONARCH_BEFORE.test(before))
    return token.letters === 'V' ? 'the Fifth' : 'the Tenth';
  return (
    directionOf(token.letters, before) ??
    verbalizePerUnit(token.text, { before, after }) ??
    spell(token.letters) + (token.plural ? "'s" : '')
  );
}

function verbalizeInParts(token: Token, { after }: TokenContext): VerbalizedWord[] {
  switch (token.kind) {
    case 'han':
      return verbalizeCharacters(token.text);
    case 'phone':
      return token.groups.map((group, index) => {
        const plus = token.plus && index === 0;
        const digits = group.length > SHORT_NUMBER ? identifierInWords(group, 'zero') : digitByDigit(group);
        return spoken((plus ? 'plus ' : '') + digits, plus ? `+${group}` : group);
      });
    case 'code':
      return verbalizeCode(token, after);
    case 'version':
      return [verbalizeVersion(token)];
    case 'email':
    case 'url':
      return verbalizeAddress(token.text);
    case 'hashtag':
    case 'mention':
      return verbalizeName(token.name);
    default:
      return [];
  }
}

function verseInWords({ text }: Token, { before }: TokenContext): string | null {
  return chapterAndVerse(text, before)?.map(integerInWords).join(' ') ?? null;
}

/** Numbers for emergencies, 911, are said digit by digit rather than with double. */
const SHORT_NUMBER = 3;
/** A single letter is a Roman numeral only where nothing else makes sense. */
const MONARCH_BEFORE = /(?:King|Queen|Pope|Emperor|Prince|Louis)(?: \p{Lu}\p{Ll}+)? $/u;

/** Verbs behind the pronoun I, while those behind a king are of others: King Charles I was. */
const OF_PRONOUN =
  /^ (?:think|am|have|had|will|would|know|believe|met|saw|love|like|want|can|could|do|did|guess|hope|mean|say|said|read|heard)(?!\p{L})/u;
const NAMED_MONARCH_BEFORE = /(?:King|Queen|Pope|Emperor|Prince) \p{Lu}\p{Ll}+ $/u;
const OWNER_BEFORE = /(?:Elizabeth|Charles|James|Francis|Nicholas|Napoleon|Henry|Edward|George|Peter|Mary) $/u;

/** Reads the numeral I of a war or a ruler; null: the pronoun. */
function firstInWords({ before, after }: TokenContext): string | null {
  if (OF_PRONOUN.test(after)) return null;
  if (before.endsWith('World War ')) return 'One';
  return NAMED_MONARCH_BEFORE.test(before) ? 'the First' : null;
}

const WORLD_WARS: Readonly<Record<string, string>> = { WWI: 'World War One', WWII: 'World War Two' };

/** Reads a ratio; equal shares are fifty fifty. */
function ratioInWords(members: readonly string[]): string {
  return members.join(members.length === 2 && members[0] === members[1] ? ' ' : ' to ');
}

const goalsInWords = (goals: string) => (goals === '0' ? 'nil' : integerInWords(goals));
const titled = (spokenForm: string) => spokenForm.replace(/^[a-z]/, (first) => first.toUpperCase());

/** A number with leading zeros is a name (007). */
function verbalizeNumber(value: Numeral): string {
  const { digits, fraction, sign } = value;
  const isName = digits.length > 1 && digits.startsWith('0') && fraction === null && sign === '';
  return isName ? identifierInWords(digits, 'oh') : numeralInWords(value);
}

/**
 * The article ends the text before the amount. A is an article only at the beginning of a sentence:
 * Vitamin A 50mg.
 */
const ARTICLE = /(?:(?:^|[^\p{L}'’])an?|(?:^|[.!?] )An?) $/u;
/** Things that are named by their size in inches. */
const SIZED_IN_INCHES =
  /^ (?:(?:4K|8K|HD|LED|OLED|QLED|LCD|smart|flat|curved|gaming|touch) )*(?:TV|television|monitor|screen|display|pizza|MacBook|iPad|iMac|laptop|tablet|cake|wheel|alloy|heel|ruler|pipe|telly|model)s?(?![\p{L}\d])/iu;

/** Whether an amount describes the next noun, with a singular unit: a 55" TV, a $50 note. */
function isAttribute(token: Token, { before, after }: TokenContext): boolean {
  if (ARTICLE.test(before)) return true;
  if (token.kind !== 'quantity') return false;
  return /\d-\p{L}/u.test(token.text) || (token.unit === 'in' && SIZED_IN_INCHES.test(after));
}

function countOf(value: Numeral, [one, several = one]: readonly [string, string?]): string {
  return `${numeralInWords(value)} ${isOne(value) ? one : several}`;
}

/**
 * Whether a sign between two numbers is an operator: spaces on both sides, or a result after it.
 */
function isSum(before: string, after: string): boolean {
  if (!/\d\s*$/.test(before) || !/^\s*\d/.test(after)) return false;
  return (/\s$/.test(before) && /^\s/.test(after)) || /^\s*\d[\d.,+×÷-]*\s*=/.test(after);
}

const isBetweenNumbers = ({ before, after }: TokenContext) =>
  (/\d\s*$/.test(before) || SIZE_BEFORE.test(before)) && /^\s*\d/.test(after);

/** A size before x, which is then "by": 30 cm x 20 cm. */
const SIZE_BEFORE = /\d ?(?:mm|cm|m|km|in|ft|px)\s*$/;
/** A mark before /, which is then "out of": 4.5/5. */
const MARK_BEFORE = /\d\.\d\s?$/;
const FULL_MARK = /^\s?(?:5|10|100)(?![\d./])/;

/** The upper pressure of blood, which is told over the lower one. */
const PRESSURE_BEFORE = /\b(?:BP|[Bb]lood pressure)\b(?: (?:is|was|of|at))?:? ?\d{2,3}$/u;

/** Times for which one pays, behind an amount: $20/mo. */
const PAID_EACH: Readonly<Record<string, string>> = {
  mo: 'month',
  mth: 'month',
  wk: 'week',
  d: 'day',
  yr: 'year',
  y: 'year',
  hr: 'hour',
};

/** Reads the unit of "per kg" and $38/kg, which has no number. */
function verbalizePerUnit(text: string, { before }: TokenContext): string | null {
  const time =
    /\$ ?[\d.,]+\/$|[£€] ?[\d.,]+\/$/u.test(before) && Object.hasOwn(PAID_EACH, text) ? PAID_EACH[text] : undefined;
  if (time !== undefined) return time;
  const isPer = /(?:\bper |[\d$]\/)$/.test(before) || (before.endsWith('/') && isPerUnit(before.slice(0, -1), text));
  const found = isPer ? unitAt(text, 0) : null;
  return found === null || found.length < text.length ? null : UNIT_WORDS[found.unit][0];
}

/** The beginning of a number, an amount or a variable, which a sign before it compares. */
const COMPARED_AFTER = /^\s?[\d$]/;
/** Variables on both sides of a sign that compares; a and I are words. */
const VARIABLE_BEFORE = /(?:\d|(?<![\p{L}'’])\p{L})\s$/u;
const VARIABLE_AFTER = /^\s(?![aI]\s)\p{L}(?![\p{L}'’])/u;

const areCompared = (before: string, after: string) => VARIABLE_BEFORE.test(before) && VARIABLE_AFTER.test(after);

/** Hyphens join words unless numbers surround them. */
function symbolWord(sign: string, { before, after }: TokenContext): string {
  if (sign === '-' && MINUS_GRADE_BEFORE.test(before) && MINUS_GRADE_AFTER.test(after)) return 'minus';
  if (/[-–~～]/.test(sign) && (isBetweenCodes(before, after) || isBetweenVerses(before, after))) return 'to';
  if (sign === '-')
    return isSum(before, after) ||
      isBetweenTerms(before, after) ||
      isAfterPower(before, after) ||
      isBeforeExponent(before) ||
      after.startsWith('∞')
      ? 'minus'
      : '';
  if (sign === '^') return isRaised(before, after) || variableExponent(before, after) ? 'to the power of' : '';
  if (sign === '/' && isBeforeNetworkLength(before, after)) return 'slash';
  if (sign === '~' || sign === '～') return AMOUNT_AFTER.test(after) ? 'about' : '';
  if (sign === '*' && /^[\d*]+#/.test(after)) return 'star';
  if (sign === '#' && /\*\d+$/.test(before)) return 'hash';
  if (sign === '#' && NOTE_BEFORE.test(before)) return 'sharp';
  if (sign === '#') return /^\s*\d/.test(after) ? 'number' : '';
  if (sign === '*' && isEnglishStar(before, after)) return 'star';
  if (sign === '/' && /\p{Sc} ?[\d,.]+$/u.test(before) && /^\p{L}/u.test(after)) return 'per';
  if (sign === '/' && (isPerUnit(before, after) || isPerTime(before, after))) return 'per';
  if (sign === '/' && PRESSURE_BEFORE.test(before)) return 'over';
  if (sign === '/' && MARK_BEFORE.test(before) && FULL_MARK.test(after)) return 'out of';
  if (sign === '*' && !isBetweenNumbers({ before, after })) return '';
  if (/[<>]/.test(sign) && !COMPARED_AFTER.test(after) && !areCompared(before, after)) return '';
  if (sign === '¢' && /(?<![\d.])1 ?$/.test(before)) return 'cent';
  return SYMBOL_WORDS[sign] ?? '';
}

/**
 * Reads an amount of money: twelve dollars fifty, three dollars and five cents, fifty cents, five
 * million U S dollars.
 */
function verbalizeMoney({ value, currency }: Extract<Token, { kind: 'money' }>, isAttributive = false): string {
  const { one, several, cents } = currencyWords(currency);
  const { digits, fraction, scale } = value;
  const sign = value.sign === '-' ? 'minus ' : '';
  if (isAttributive && scale !== null) return `${numeralInWords(value)} ${one}`;
  if (isAttributive && !/[1-9]/.test(fraction ?? '')) return `${numeralInWords({ ...value, fraction: null })} ${one}`;
  if (cents === null || scale !== null || fraction === null || fraction.length > 2)
    return countOf(value, [one, several]);
  const amount = countOf({ ...value, fraction: null }, [one, several]);
  const rest = Number(fraction.padEnd(2, '0'));
  if (rest === 0) return amount;
  const ofCents = `${belowHundredInWords(rest)} ${rest === 1 ? cents[0] : cents[1]}`;
  if (/^0+$/.test(digits)) return sign + ofCents;
  if (rest < 10 || several.includes(' ')) return `${amount} and ${ofCents}`;
  return `${amount} ${belowHundredInWords(rest)}`;
}

/** Reads a range; the unit is spoken once, after the second number. */
function verbalizeRange(from: Token, to: Token, context: TokenContext): string {
  const end = from.kind === 'money' && to.kind === 'number' ? { ...from, value: to.value } : to;
  const isSame = from.kind === end.kind || from.kind === 'number';
  const start =
    isSame && 'value' in from && typeof from.value === 'object'
      ? verbalizeRangeStart(from, from.value)
      : spokenFormOf(from, context);
  return `${start ?? ''} to ${spokenFormOf(end, context) ?? ''}`.trim();
}

function verbalizeRangeStart(from: Token, value: Numeral): string {
  const hasCents = from.kind === 'money' && value.fraction !== null;
  return hasCents ? verbalizeMoney(from) : numeralInWords(value);
}

/** Reads a name of characters, letters and digits in any order; `HelloWorld` is two words. */
function verbalizeName(name: string): VerbalizedWord[] {
  const runs =
    name.match(/\p{Script=Han}+|\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|\p{Lu}+(?!\p{Ll})|\p{Script=Latin}|\d+|\./gu) ?? [];
  return runs.flatMap((run) => {
    if (/^\d/.test(run)) return [spoken(integerInWords(run), run)];
    if (run === '.') return [spoken('dot', run)];
    return /^\p{Script=Han}/u.test(run)
      ? verbalizeCharacters(run)
      : [spoken(lettersInHashtag(run) === null ? verbalizeWord(run) : spell(run), run)];
  });
}

function verbalizeCharacters(text: string): VerbalizedWord[] {
  const words: VerbalizedWord[] = [];
  for (const { segment } of CHINESE_WORDS.segment(text)) {
    const spokenForm = withoutSquares(segment).replace(/[^\p{Script=Han}]/gu, '');
    if (spokenForm !== '') words.push({ written: segment, language: 'cantonese', spokenForm });
  }
  return words;
}
