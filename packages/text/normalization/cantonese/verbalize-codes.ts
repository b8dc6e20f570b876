import { plainNumeral, type CodePart, type Token, type VerbalizedWord } from '#text/normalization/tokens.ts';
import { fromTo } from '#text/normalization/short-forms.ts';
import { countInWords, digitByDigit, integerInWords } from './numerals.ts';

type CodeToken = Extract<Token, { kind: 'code' }>;

/**
 * From this many digits on, an identifier is read digit by digit: 巴士 104 is 一零四, but A11 is A 十一.
 */
const MIN_DIGITS_ALONE = 3;

/** Codes that are read wholly in English in Hong Kong. */
const ENGLISH_CODES: Readonly<Record<string, string>> = {
  'COVID-19': 'COVID nineteen',
  'Covid-19': 'Covid nineteen',
  MP3: 'M P three',
  MP4: 'M P four',
  PS2: 'P S two',
  PS3: 'P S three',
  PS4: 'P S four',
  PS5: 'P S five',
  A3: 'A three',
  A4: 'A four',
  F1: 'F one',
  U2: 'U two',
  K11: 'K eleven',
  Y2K: 'Y two K',
  Web3: 'Web three',
  '7-Eleven': 'seven eleven',
  '7-11': 'seven eleven',
  '2FA': 'two F A',
  '24/7': 'twenty-four seven',
  '50/50': 'fifty fifty',
};

/** Counted after two digits of which the second is unknown. */
const SOME_TENS = /^ ?[歲年人個蚊度號次分元萬呎磅斤]/u;

/** Letters after an amount: 100K, 1000IU, 7200rpm. */
const COUNTED_LETTERS = /^(?:[KkMm]|IU|[Rr][Pp][Mm]|DPI|dpi|PSI|psi|BTU)$/;

/** Letters that make a name with a number, J2台 and CO2排放, unless that plainly counts: OT2小時. */
const NAME_BEFORE = /^[A-Z]{1,2}$/;
const PLAINLY_COUNTED =
  /^ ?(?:[個个日次位杯份碗張张晚歲岁蚊隻只粒碟支點点倍]|小時|小时|年(?![級级])|分鐘|分钟|星期|禮拜)/u;

/** Whether 2 between letters and a noun belongs to the letters: J2台, TVB2台. */
function isInName(before: string, after: string): boolean {
  if (/^[A-Z]+$/.test(before) && after.startsWith('台')) return true;
  return NAME_BEFORE.test(before) && !PLAINLY_COUNTED.test(after);
}

const inCantonese = (written: string, spokenForm: string): VerbalizedWord => ({
  written,
  language: 'cantonese',
  spokenForm,
});
const counted = (digits: string, after: string): string => countInWords(plainNumeral(digits), '', after);

/** Letters are English words, digits Cantonese ones: 5G → 五 and G. */
export function verbalizeCode(token: CodeToken, after: string): VerbalizedWord[] {
  const english = ENGLISH_CODES[token.text] ?? fromTo(token.text);
  if (english !== null && !/^-\d/.test(after))
    return [{ written: token.text, language: 'english', spokenForm: english }];
  const times = /^x(\d{1,3})$/u.exec(token.text)?.[1];
  if (times !== undefined)
    return [{ written: token.text, language: 'cantonese', spokenForm: `乘${integerInWords(times)}` }];
  const [, width = '', height = ''] = /^(\d{1,5})[xX](\d{1,5})$/u.exec(token.text) ?? [];
  if (width !== '')
    return [
      { written: token.text, language: 'cantonese', spokenForm: `${integerInWords(width)}乘${integerInWords(height)}` },
    ];
  const [, days = '', nights = ''] = /^(\d{1,2})D(\d{1,2})N$/iu.exec(token.text) ?? [];
  if (days !== '') return [inCantonese(token.text, `${counted(days, '日')}日${counted(nights, '夜')}夜`)];
  const [, lower = '', upper = ''] = /^(\d{1,2})\/(\d{1,2})$/u.exec(token.text) ?? [];
  if (lower !== '' && token.text !== '24/7')
    return [inCantonese(token.text, `${counted(lower, after)}${integerInWords(upper)}`)];
  const tens = /^([1-9])X$/iu.exec(token.text)?.[1];
  // 3X歲 is some age from 30 to 39.
  if (tens !== undefined && SOME_TENS.test(after))
    return [{ written: token.text, language: 'cantonese', spokenForm: `${integerInWords(`${tens}0`)}幾` }];
  return token.parts.map((part, index) => {
    const isLast = index === token.parts.length - 1;
    return verbalizePart(part, token.parts[index - 1]?.text ?? '', token.parts[index + 1], isLast ? after : '');
  });
}

function verbalizePart(
  { kind, text, written = text }: CodePart,
  before: string,
  next: CodePart | undefined,
  after: string,
): VerbalizedWord {
  if (kind === 'digits' && text === '2' && after !== '' && !isInName(before, after)) {
    // A word and an amount without a space between: OT2小時, book2位.
    return { written, language: 'cantonese', spokenForm: countInWords(plainNumeral(text), '', after) };
  }
  if (kind === 'digits') {
    // 100K is an amount, 104X the name of a bus route.
    const isAmount = text.length < MIN_DIGITS_ALONE || (before === '' && COUNTED_LETTERS.test(next?.text ?? ''));
    const spokenForm = isAmount ? integerInWords(text) : digitByDigit(text);
    return { written, language: 'cantonese', spokenForm };
  }
  if (text === 'colon' && written === ':') return inCantonese(written, '冒號');
  const spokenForm = kind === 'letters' ? Array.from(text.toUpperCase()).join(' ') : text;
  return { written, language: 'english', spokenForm };
}
