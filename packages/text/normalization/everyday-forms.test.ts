import { describe, expect, test } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { normalize } from './normalize.ts';
import { tokenizePiece } from './tokenize.ts';

const say = (text: string, language: Language) =>
  normalize(tokenizePiece(text, language), language)?.spokenForm.replace(/[。.]$/u, '') ?? '';

type Row = readonly [text: string, spokenForm: string];

/** Notations of chats and notices. */
const ROWS: Readonly<Record<Language, readonly Row[]>> = {
  cantonese: [
    ['2星期後', '兩星期後'],
    ['星期2', '星期二'],
    ['2禮拜三', '二禮拜三'],
    ['3日2夜', '三日兩夜'],
    ['2至3星期', '兩至三星期'],
    ['2至3號', '二至三號'],
    ['5、6個', '五六個'],
    ['2、3個月', '兩三個月'],
    ['三、四十人', '三四十人'],
    ['7、8點', '七八點'],
    ['2、3、4個', '二，三，四個'],
    ['5、6號舖', '五，六號舖'],
    ['第5、6個', '第五，六個'],
    ['4-4-2陣式', '四四二陣式'],
    ['12/8 (二)', '八月十二號，星期二'],
    ['12月24日（四）', '十二月二十四日，星期四'],
    ['（一）', '一'],
    ['3/12 14:00', '十二月三號十四點'],
    ['5/9返學', '九月五號返學'],
    ['5/9嘅人', '九分之五嘅人'],
    ['12/2026', '二零二六年十二月'],
    ['exp 12/26', 'exp二零二六年十二月'],
    ['OTP: 384726', 'O T P,三八四七二六'],
    ['password係4821', 'password係四八二一'],
    ['999報警', '九九九報警'],
    ['收到300電話', '收到三百電話'],
    ['幾$', '幾錢'],
    ['十幾$', '十幾蚊'],
    ['55"電視', '五十五吋電視'],
    ['佢高5\'8"', '佢高五呎八吋'],
    ['佢寫"我有55"喺度', '佢寫我有五十五喺度'],
    ['2388-1234 / 9123-4567', '二三八八，一二三四，九一二三，四五六七'],
    ['65歲+', '六十五歲以上'],
    ['攞咗A-', '攞咗A minus'],
    ['125cc', '一百二十五C C'],
    ['759阿信屋', '七五九阿信屋'],
    ['讀Year 1', '讀Year one'],
    ['讀Form 5', '讀Form five'],
    ['升到Lv.10', '升到level ten'],
  ],
  mandarin: [
    ['110报警', '幺幺零报警'],
    ['12306电话', '幺二三零六电话'],
    ['打85折', '打八五折'],
    ['2、3个月', '两三个月'],
    ['12月24日（四）', '十二月二十四日，星期四'],
    ['65岁+', '六十五岁以上'],
    ['OTP是384726', 'O T P是三八四七二六'],
    ['12/2026', '二零二六年十二月'],
  ],
  english: [
    ['See you on 11/21', 'See you on the twenty-first of November'],
    ['11/16 inch', 'eleven sixteenths inch'],
    ['I got 11/20', 'I got eleven twentieths'],
    ['exp 12/26', 'exp December twenty twenty-six'],
    ['coffee w/o', 'coffee without'],
    ['My OTP is 384726', 'My O T P is three eight four seven two six'],
    ['Code: 384726', 'Code, three eight four seven two six'],
    ['The password is 9921', 'The password is double nine two one'],
    ['He is 5\'8"', 'He is five feet eight inches'],
    ['He said "I am 25" and left', 'He said I am twenty-five and left'],
    ['an A- in maths', 'an A minus in maths'],
    ['vitamin A-rich', 'vitamin A-rich'],
  ],
};

describe.each(Object.entries(ROWS))('in %s', (language, rows) => {
  test.each(rows)('%s is %s', (text, spokenForm) => {
    expect(say(text, language as Language)).toBe(spokenForm);
  });
});
