import { expect, it, test } from 'vitest';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { normalize } from './normalize.ts';
import { namesOfSigns, SIGN_OF_MATHEMATICS } from './signs-of-mathematics.ts';
import { tokenizePiece } from './tokenize.ts';

const spell = (text: string, language: Language) =>
  normalize(tokenizePiece(text, language), language)?.spokenForm.replace(/[。.]$/u, '') ?? '';

const SIGN = new RegExp(`^(?:${SIGN_OF_MATHEMATICS})`, 'u');

test('every sign is spoken beside a number, after a picture, and alone unless faces have it', () => {
  for (const language of LANGUAGES) {
    const names = namesOfSigns(language);
    for (const [sign, name] of Object.entries(names)) {
      for (const text of [`5 ${sign} 6`, ...(SIGN.test(sign) ? [`👍${sign}5`, sign] : [])]) {
        expect([text, spell(text, language)]).toEqual([text, expect.stringContaining(name)]);
      }
    }
  }
});

it.each<[text: string, cantonese: string, mandarin: string, english: string]>([
  ['(-∞, +∞)', '負無限大，正無限大', '负无穷大，正无穷大', 'minus infinity, plus infinity'],
  [
    '0.05 < p < 0.1',
    '零點零五細過P少過零點一',
    '零点零五小于P小于零点一',
    'zero point zero five less than P less than zero point one',
  ],
  ['~$76k', '大約七萬六千蚊', '约七万六千元', 'about seventy-six thousand dollars'],
  ['99¢', '九十九仙', '九十九分', 'ninety-nine cents'],
  ['1¢', '一仙', '一分', 'one cent'],
  ['₺500', '五百土耳其里拉', '五百土耳其里拉', 'five hundred Turkish lira'],
  ['20 CHF', '二十瑞士法郎', '二十瑞士法郎', 'twenty Swiss francs'],
  ['R$1', '一巴西雷亞爾', '一巴西雷亚尔', 'one Brazilian real'],
  ['NZ$10', '十紐西蘭元', '十新西兰元', 'ten New Zealand dollars'],
  ['ILS 2', 'I L S二', 'I L S二', 'I L S two'],
  ['RWY 07L', 'R W Y零七L', 'R W Y零七L', 'R W Y oh seven L'],
])('%s', (text, cantonese, mandarin, english) => {
  expect(LANGUAGES.map((language) => spell(text, language))).toEqual([cantonese, mandarin, english]);
});

it.each([
  ['Call 1-800-FLOWERS', 'Call one eight hundred Flowers'],
  ['pp. 2-5, esp. fig. 3a', 'pages two to five, especially figure three A'],
  ["St. John's St. is near 42nd St.", "Saint John's Street is near forty-second Street"],
  ['Apt. 5B, 12% p.a., 25 pts', 'Apartment five B, twelve percent per annum, twenty-five points'],
  ['a.b+c@example.com', 'A dot B plus C at example dot com'],
  ['if a < b (´∀｀) (≧w≦) ∧＿∧ (∩3∩)', 'if a less than B, W, three'],
  ['-> a box > I agree', 'a box I agree'],
  ['The sale ends in 24 hours. My code ends in 42.', 'The sale ends in twenty-four hours. My code ends in four two'],
  ['Hello~ 2 tickets, ~3 more', 'Hello, two tickets, about three more'],
  ['Signed, George P. 10 May', 'Signed, George P. the tenth of May'],
  ['IPv6, face::1, fe80::1', 'I P V six, face, one, F E eight oh colon colon one'],
  ['0-0 and 2-0', 'nil nil and two nil'],
  ['first_pts is 25 pts', 'first pts is twenty-five points'],
  ['"^1.0.0"', 'one point zero point zero'],
])('%s in English', (text, spoken) => {
  expect(spell(text, 'english')).toBe(spoken);
});

it.each([
  ['985和211高校', '九八五和二一一高校'],
  ['派出150救护员', '派出一百五十救护员'],
  ['验证码60秒内有效，验证码60', '验证码六十秒内有效，验证码六零'],
  ['石油120美元，港交所388跌', '石油一百二十美元，港交所三八八跌'],
  ['打120急救', '打幺二零急救'],
  ['约~100元', '约一百元'],
])('%s in Mandarin', (text, spoken) => {
  expect(spell(text, 'mandarin')).toBe(spoken);
});
