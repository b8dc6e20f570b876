import { verbalizeEnglish } from '#text/normalization/english/verbalize-english.ts';
import {
  decimalNumeral,
  type CodePart,
  type Token,
  type TokenContext,
  type Numeral,
  type Unit,
  type VerbalizedWord,
  type VerbalizeToken,
} from '#text/normalization/tokens.ts';
import { NAMED_EVENT_AFTER } from '#text/normalization/match-latin.ts';
import { withoutSquares } from '#text/normalization/match-squared.ts';
import { isPlain } from '#text/normalization/numerals.ts';
import {
  isAfterPower,
  isBeforeExponent,
  isBeforeVariableExponent,
  isRaised,
  isVariableExponent,
  variableExponent,
  variablePower,
} from '#text/normalization/powers.ts';
import {
  AMOUNT_AFTER,
  FLOOR_BEFORE,
  isBeforeNetworkLength,
  hasNumberSign,
  isBetweenCodes,
  isKey,
  isPerUnit,
  isSize,
  isWeekday,
  NOTE_BEFORE,
} from '#text/normalization/short-forms.ts';
import { reignSuffix } from '#text/normalization/reigns.ts';
import { lettersInHashtag } from '#text/normalization/acronyms.ts';
import { isBetweenTerms } from '#text/normalization/formulas.ts';
import { unitAt } from '#text/normalization/units.ts';
import { wordsOfToken } from '#text/normalization/words-of-token.ts';
import { isCounted, digitByDigit, numeralInWords, integerInWords, signOf } from './chinese-numbers.ts';
import { SYMBOL_WORDS, UNIT_LETTERS, UNIT_WORDS, WORDS_BEFORE } from './mandarin-units.ts';
import { verbalizeMoney } from './verbalize-money.ts';
import { durationInWords, verbalizeDate, verbalizeTime, verbalizeYear } from './verbalize-times.ts';

const ONLY_HAN = /^\p{Script=Han}*$/u;
const NOT_HAN = /[^\p{Script=Han}]/gu;

/**
 * Verbalizes a token in Mandarin; see `VerbalizeToken`. Numbers become Simplified characters,
 * written characters stay. Where usage varies: 到 between the ends of a range, 幺 for 1 in telephone,
 * room and bus numbers, 块 for ¥ below a thousand or with cents (十二块五) and 元 otherwise, 摄氏度 after
 * the number.
 */
export const verbalizeMandarin: VerbalizeToken = (token, context) => {
  const variable = token.text === '^' ? variableExponent(context.before, context.after) : null;
  if (variable !== null) return [{ written: '^', language: 'english', spokenForm: variable.toUpperCase() }];
  if (isVariableExponent(token.text, context))
    return [{ written: token.text, language: 'mandarin', spokenForm: '次方' }];
  const spokenForm = spokenFormOf(token, context);
  if (spokenForm !== null) return spokenForm === '' ? [] : [{ written: token.text, language: 'mandarin', spokenForm }];
  return verbalizeInParts(token, context);
};

/** Reads a token that is one Mandarin word; null for another token. */
function spokenFormOf(token: Token, context: TokenContext): string | null {
  switch (token.kind) {
    case 'syllables':
      return token.syllables.join(' ');
    case 'number':
      return verbalizeNumber(token.value, context);
    case 'power':
      return `的${numeralInWords(token.value)}次方`;
    case 'lap':
      return `${integerInWords(token.minutes)}分${integerInWords(token.seconds)}秒${digitByDigit(token.fraction)}`;
    case 'duration':
      return durationInWords(token);
    case 'ratio':
      return token.members.map((member) => numeralInWords(member)).join('比');
    case 'ordinal':
      return `第${numeralInWords(token.value)}`;
    case 'year':
      return verbalizeYear(token);
    case 'date':
      return verbalizeDate(token);
    case 'time':
      return verbalizeTime(token, context.before);
    case 'money':
      return verbalizeMoney(token);
    case 'percent':
      return `${signOf(token.value)}${token.per === 100 ? '百' : '千'}分之${numeralInWords(unsigned(token.value))}`;
    case 'fraction':
      return verbalizeFraction(token);
    case 'range':
      return lettersOfUnit(token) === null ? verbalizeRange(token.from, token.to, context) : null;
    case 'score':
      return `${integerInWords(token.home)}比${integerInWords(token.away)}`;
    case 'temperature':
      return `${token.value.sign === '-' ? '零下' : ''}${numeralInWords(unsigned(token.value))}${token.scale === 'C' ? '摄氏度' : '华氏度'}`;
    case 'quantity':
      if (lettersOfUnit(token) !== null) return null;
      return quantityInWords(token.value, token.unit, context.before);
    case 'roman':
      return `${integerInWords(String(token.value))}${reignSuffix(token.value, context)}`;
    case 'latin':
      return unitOfPrice(token.text, context.before);
    case 'letters':
      // 5/F is the fifth floor in Hong Kong; 3 x 4.
      if (token.letters === 'F' && FLOOR_BEFORE.test(context.before)) return '楼';
      return token.letters === 'X' && SUM_BEFORE.test(context.before) && /^(?:\s*\d|\s\p{L})/u.test(context.after)
        ? '乘'
        : unitOfPrice(token.text, context.before);
    case 'symbol':
      return symbolWord(token.text, context);
    case 'mark':
    case 'silent':
      return '';
    default:
      return null;
  }
}

function verbalizeInParts(token: Token, context: TokenContext): VerbalizedWord[] {
  switch (token.kind) {
    case 'han':
      return isWeekday(token.text, context)
        ? [{ written: token.text, language: 'mandarin', spokenForm: `星期${token.text}` }]
        : verbalizeCharacters(token);
    case 'nth-power': {
      const added = token.added === null ? '' : numeralInWords(unsigned(token.added));
      const sum = token.added === null ? '' : `${token.added.sign === '-' ? '减' : '加'}${added}`;
      return variablePower(token.text, 'mandarin', sum);
    }
    case 'quantity':
    case 'range':
      return verbalizeWithLetters(token, context);
    case 'phone':
      return token.groups.map((group, index) => {
        const plus = token.plus && index === 0;
        return {
          written: plus ? `+${group}` : group,
          language: 'mandarin',
          spokenForm: (plus ? '加' : '') + digitByDigit(group, '幺'),
        };
      });
    case 'code':
      if (isSize(token.text)) {
        const spokenForm = token.text.split(/x/iu).map(integerInWords).join('乘');
        return [{ written: token.text, language: 'mandarin', spokenForm }];
      }
      return token.parts.map((part) => verbalizeCodePart(part, NAMED_EVENT_AFTER.test(context.after) ? '一' : '幺'));
    case 'version':
      return verbalizeVersion(token, context.before);
    case 'email':
    case 'url':
      return verbalizeEnglish(token, context).map(inChineseAddress);
    case 'hashtag': {
      // A telephone key, not a name: #号键.
      const spokenForm = IS_KEY.test(token.name) ? '井' : '井号';
      const hash: VerbalizedWord[] = isKey(context.before, token.name)
        ? [{ written: '#', language: 'mandarin', spokenForm }]
        : [];
      return [...hash, ...verbalizeName(token.name)];
    }
    case 'mention':
      return verbalizeName(token.name);
    default:
      return verbalizeEnglish(token, context);
  }
}

/** Reads a number with its unit: 北纬二十二点三度, 两米. Degrees do not count: 二度. */
function quantityInWords(value: Numeral, unit: Unit, before: string): string {
  const prefix = WORDS_BEFORE[unit] ?? '';
  const counts = !/[°′″]/u.test(unit);
  if (unit === 'km/h' && /时速\s*$/u.test(before)) return `${numeralInWords(value, { counts })}公里`;
  return `${before.endsWith(prefix) ? '' : prefix}${numeralInWords(value, { counts })}${UNIT_WORDS[unit]}`;
}

const unsigned = (value: Numeral): Numeral => ({ ...value, sign: '' });

const SUM_BEFORE = /\d\s*$/u;
/** Text after a minus that makes it a subtraction (5 - 3, 5-3=2) and no hyphen of a list. */
const SUM_AFTER = /^(?:\s+\d|\d[\d.+×÷-]*\s*=)/u;

/** A quantity before a slash, and the unit that it is counted by: 72次/分, 2人/间. */
const COUNTED_BEFORE = /\d ?(?:[次个個件份条條张張本台辆輛人名篇字页頁步下圈趟瓶杯包盒桶袋斤克吨噸度片粒]|毫升|公斤)$/u;
const COUNTED_PER =
  /^(?:分(?:[钟鐘]|(?!\p{Script=Han}))|小[时時]|[秒天日周週月年人次户戶间間房桌组組班包盒箱袋瓶杯](?!\p{Script=Han}))/u;
const PRICE_BEFORE = /(?:\p{Sc} ?[\d,.]+|[元块塊])$/u;

/** Reads the unit in ¥38/kg, which has no number; null for another text. */
function unitOfPrice(text: string, before: string): string | null {
  if (!before.endsWith('/') || !(PRICE_BEFORE.test(before.slice(0, -1)) || isPerUnit(before.slice(0, -1), text)))
    return null;
  const found = unitAt(text, 0);
  return found?.length === text.length ? UNIT_WORDS[found.unit] : null;
}

const IS_KEY = /^ ?(?:[号號]|字?[键鍵])/u;
const GENERATION = /^(?:[5-9][05]|[01]0|05)$/;

function verbalizeNumber(value: Numeral, { before, after }: TokenContext): string {
  if (isBeforeExponent(before)) return `${numeralInWords(value)}次方`;
  if (isBeforeVariableExponent(after)) return `${numeralInWords(value)}的`;
  if (hasNumberSign(value.digits, { before, after })) return `${numeralInWords(value)}号`;
  const { digits, sign, fraction } = value;
  // 90后: people born in the nineties.
  if (/^[后後](?![退面来來天])/u.test(after) && GENERATION.test(digits) && fraction === null)
    return digitByDigit(digits);
  // 打85折: 8.5 tenths of the price.
  if (after.startsWith('折') && /^[1-9][1-9]$/.test(digits) && isPlain(value)) return digitByDigit(digits);
  // Degrees below zero are of temperature, those of lenses are hundreds: -5度.
  if (sign === '-' && /^\d{1,2}$/.test(digits) && /^\s?度/u.test(after))
    return `零下${numeralInWords(unsigned(value))}`;
  // 9秒58 and 1米75 are nine point five eight seconds and one point seven five metres.
  if (/\d[秒米]$/u.test(before) && /^\d\d$/.test(digits) && !/^\s?[\d分cm厘公]/u.test(after))
    return digitByDigit(digits);
  if (digits === '24' && after.startsWith('/7')) return '二十四小时';
  if (digits === '7' && before.endsWith('24/')) return '七天';
  // 701年-762年: the sign is a range.
  const isSpan = sign === '-' && /[年月日号號时時]$/u.test(before) && /^[年月日号號时時]/u.test(after);
  return isSpan ? `到${numeralInWords(unsigned(value))}` : numeralInWords(value, { counts: isCounted(before, after) });
}

/** Reads a sign: − is 减 between numbers; otherwise it joins words and is silent. */
function symbolWord(sign: string, { before, after }: TokenContext): string {
  if (sign === '^') return isRaised(before, after) ? '的' : '';
  if (sign === '-' && (isBeforeExponent(before) || after.startsWith('∞'))) return '负';
  if (sign === '+' && after.startsWith('∞')) return '正';
  if (/[-–~～]/.test(sign) && isBetweenCodes(before, after)) return '到';
  if (sign === '-' && isAfterPower(before, after)) return '减';
  if (sign === '-' && isBetweenTerms(before, after)) return '减';
  if (sign === '-') return SUM_BEFORE.test(before) && SUM_AFTER.test(after) ? '减' : '';
  if (sign === '~' || sign === '～') return AMOUNT_AFTER.test(after) && !/[约約]$/u.test(before) ? '约' : '';
  if (sign === '/' && isBeforeNetworkLength(before, after)) return '斜杠';
  if (sign === '/' && isPerUnit(before, after)) return '每';
  if (sign === '/' && /\d ?[万萬]$/u.test(before) && /^(?:平|年|月|人|[个個台辆套亩吨])/u.test(after)) return '每';
  if (sign === '/' && COUNTED_BEFORE.test(before) && COUNTED_PER.test(after)) return '每';
  if (sign === '/') return PRICE_BEFORE.test(before) && /^\p{L}/u.test(after) ? '每' : '';
  if (sign === '+' && /\d[歲岁]$/u.test(before) && !/^\s?\d/u.test(after)) return '以上';
  if (/[#*]/.test(sign) && isKey(before, after)) return (sign === '#' ? '井' : '星') + (IS_KEY.test(after) ? '' : '号');
  if (sign === '#') return NOTE_BEFORE.test(before) ? '井' : '';
  if (sign === '*') return SUM_BEFORE.test(before) && /^\s*\d/u.test(after) ? '乘' : '';
  if (sign === '·' || sign === '•') return /\d$/u.test(before) && /^\d/u.test(after) ? '点' : '';
  return SYMBOL_WORDS[sign] ?? '';
}

/** The words of a token of Chinese characters. */
function verbalizeCharacters(token: Token): VerbalizedWord[] {
  const words: VerbalizedWord[] = [];
  for (const segment of wordsOfToken(token)) {
    const spokenForm = ONLY_HAN.test(segment) ? segment : withoutSquares(segment).replace(NOT_HAN, '');
    if (spokenForm !== '') words.push({ written: segment, language: 'mandarin', spokenForm });
  }
  return words;
}

/** The English letters of units such as GB; null: the unit has a Chinese name. */
function lettersOfUnit(token: Token): string | null {
  if (token.kind === 'range') return lettersOfUnit(token.to);
  return token.kind === 'quantity' ? (UNIT_LETTERS[token.unit] ?? null) : null;
}

function withoutUnit(token: Token): Token {
  return token.kind === 'quantity' ? { text: token.text, kind: 'number', value: token.value } : token;
}

/** Reads a number and the letters of its unit as two words: 十六 and G B. */
function verbalizeWithLetters(
  token: Extract<Token, { kind: 'quantity' | 'range' }>,
  context: TokenContext,
): VerbalizedWord[] {
  const bare =
    token.kind === 'range'
      ? { ...token, from: withoutUnit(token.from), to: withoutUnit(token.to) }
      : withoutUnit(token);
  const [, number = token.text, unit = ''] = /^(.*?)\s*([\p{Script=Latin}\u3371-\u33DF]+)$/su.exec(token.text) ?? [];
  const spokenForm = spokenFormOf(bare, { before: context.before, after: '' }) ?? '';
  const words: VerbalizedWord[] = [{ written: number, language: 'mandarin', spokenForm }];
  return unit === ''
    ? words
    : [...words, { written: unit, language: 'english', spokenForm: lettersOfUnit(token) ?? unit }];
}

function verbalizeFraction({ whole, numerator, denominator }: Extract<Token, { kind: 'fraction' }>): string {
  const part = `${integerInWords(denominator)}分之${numeralInWords(decimalNumeral(numerator))}`;
  return whole === null ? part : `${integerInWords(whole)}又${part}`;
}

/** Reads a range; the unit of the second number applies to both: 三到五块, 百分之十到二十. */
function verbalizeRange(from: Token, to: Token, context: TokenContext): string {
  const counts = isCounted(context.before, context.after) || !('value' in to) || to.kind !== 'number';
  if ('value' in from && 'value' in to && typeof from.value === 'object' && typeof to.value === 'object') {
    const start = numeralInWords(unsigned(from.value), { counts });
    if (to.kind === 'percent') {
      const isEach = from.kind === 'percent';
      const end = isEach ? spokenFormOf(to, context) : numeralInWords(to.value);
      return `${signOf(from.value)}${to.per === 100 ? '百' : '千'}分之${numeralInWords(unsigned(from.value))}到${end}`;
    }
    const below = to.kind === 'temperature' && from.value.sign === '-' ? '零下' : signOf(from.value);
    // $3-5: the currency applies to both.
    const end = from.kind === 'money' && to.kind === 'number' ? { ...from, text: from.text, value: to.value } : to;
    // 零下五到三 could mean below zero at both ends.
    const above = below === '零下' && to.value.sign !== '-' ? '零上' : '';
    return `${below}${start}到${above}${spokenFormOf(end, context) ?? ''}`;
  }
  return `${spokenFormOf(from, context) ?? ''}到${spokenFormOf(to, { before: '', after: context.after }) ?? ''}`;
}

function verbalizeCodePart({ kind, text, written = text }: CodePart, one: '一' | '幺'): VerbalizedWord {
  if (kind === 'latin' && Object.hasOwn(ADDRESS_WORDS, text)) {
    return { written, language: 'mandarin', spokenForm: ADDRESS_WORDS[text]! };
  }
  if (kind !== 'digits') {
    return { written, language: 'english', spokenForm: kind === 'letters' ? [...text.toUpperCase()].join(' ') : text };
  }
  return {
    written,
    language: 'mandarin',
    spokenForm: text.length > 2 ? digitByDigit(text, one) : integerInWords(text),
  };
}

function verbalizeVersion(
  { text, parts, hasV }: Extract<Token, { kind: 'version' }>,
  before: string,
): VerbalizedWord[] {
  const numbers = hasV ? text.replace(/^[vV]\.?\s*/, '') : text;
  const letter = /[a-z]$/.exec(numbers)?.[0] ?? '';
  // IP addresses are read digit by digit; the first number of a version such as 24.1 as a number.
  const isAddress = parts.length === 4 && !hasV;
  const spokenForm = parts
    .map((part) => part.replace(/\D/g, ''))
    .map((part, index) => (index === 0 && !isAddress ? integerInWords(part) : digitByDigit(part)))
    .join('点');
  const words: VerbalizedWord[] = [
    { written: numbers.slice(0, numbers.length - letter.length), language: 'mandarin', spokenForm },
  ];
  if (hasV && !/版本?\s*$/u.test(before))
    words.unshift({ written: text.charAt(0), language: 'english', spokenForm: 'V' });
  if (letter !== '') words.push({ written: letter, language: 'english', spokenForm: letter.toUpperCase() });
  return words;
}

const ADDRESS_WORDS: Readonly<Record<string, string>> = { dot: '点', at: '艾特', slash: '斜杠', colon: '冒号' };

function inChineseAddress(word: VerbalizedWord): VerbalizedWord {
  if (/^\d+$/u.test(word.written)) return { ...word, language: 'mandarin', spokenForm: digitByDigit(word.written) };
  const spokenForm = /[\p{L}\p{N}]/u.test(word.written) ? undefined : ADDRESS_WORDS[word.spokenForm];
  return spokenForm === undefined ? word : { ...word, language: 'mandarin', spokenForm };
}

/** Reads a name of characters, letters and digits in any order. */
function verbalizeName(name: string): VerbalizedWord[] {
  const runs = name.match(/\p{Script=Han}+|\p{Script=Latin}[\p{Script=Latin}\p{M}]*|\d+/gu) ?? [];
  return runs.flatMap((run): VerbalizedWord[] => {
    if (/^\d/.test(run)) return [{ written: run, language: 'mandarin', spokenForm: integerInWords(run) }];
    return /^\p{Script=Han}/u.test(run)
      ? verbalizeCharacters({ kind: 'han', text: run })
      : [{ written: run, language: 'english', spokenForm: lettersInHashtag(run)?.letters.split('').join(' ') ?? run }];
  });
}
