import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { normalize } from './normalize.ts';
import { tokenizePiece } from './tokenize.ts';

const say = (text: string, language: Language) =>
  normalize(tokenizePiece(text, language), language)?.spokenForm.replace(/[。.]$/u, '') ?? '';

type Row = readonly [text: string, cantonese: string, mandarin: string, english: string];

// Names of units as in Hong Kong's schools, the mainland's standard GB 3100, and British English.
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  lengths: [
    ['3km', '三公里', '三公里', 'three kilometres'],
    ['1m', '一米', '一米', 'one metre'],
    ['2cm', '兩厘米', '两厘米', 'two centimetres'],
    ['5mm', '五毫米', '五毫米', 'five millimetres'],
    ['6ft', '六呎', '六英尺', 'six feet'],
    ['1ft', '一呎', '一英尺', 'one foot'],
    ['27in', '二十七吋', '二十七英寸', 'twenty-seven inches'],
    ['10mi', '十英里', '十英里', 'ten miles'],
    ['3yd', '三碼', '三码', 'three yards'],
    ['7nm', '七納米', '七纳米', 'seven nanometres'],
  ],
  'weights and volumes': [
    ['2kg', '兩公斤', '两千克', 'two kilograms'],
    ['500g', '五百克', '五百克', 'five hundred grams'],
    ['50mg', '五十毫克', '五十毫克', 'fifty milligrams'],
    ['8oz', '八安士', '八盎司', 'eight ounces'],
    ['5lbs', '五磅', '五磅', 'five pounds'],
    ['2L', '兩公升', '两升', 'two litres'],
    ['330ml', '三百三十毫升', '三百三十毫升', 'three hundred and thirty millilitres'],
  ],
  'areas and spaces': [
    ['600sqft', '六百平方呎', '六百平方英尺', 'six hundred square feet'],
    ['5km²', '五平方公里', '五平方公里', 'five square kilometres'],
    ['3m³', '三立方米', '三立方米', 'three cubic metres'],
  ],
  'speeds and data': [
    ['80km/h', '時速八十公里', '八十公里每小时', 'eighty kilometres per hour'],
    ['時速80km/h', '時速八十公里', '時速八十公里每小时', '時速八十公里'],
    ['60mph', '時速六十英里', '六十英里每小时', 'sixty miles per hour'],
    ['5m/s', '每秒五米', '五米每秒', 'five metres per second'],
    ['16GB', '十六G B', '十六G B', 'sixteen gigabytes'],
    ['500MB', '五百M B', '五百M B', 'five hundred megabytes'],
  ],
  'electricity and sound': [
    ['220V', '二百二十伏特', '两百二十伏', 'two hundred and twenty volts'],
    ['60W', '六十瓦', '六十瓦', 'sixty watts'],
    ['3kWh', '三千瓦時', '三千瓦时', 'three kilowatt hours'],
    ['50Hz', '五十赫茲', '五十赫兹', 'fifty hertz'],
    ['85dB', '八十五分貝', '八十五分贝', 'eighty-five decibels'],
    ['1013hPa', '一千零一十三百帕斯卡', '一千零一十三百帕', 'one thousand and thirteen hectopascals'],
    ['300kcal', '三百千卡', '三百千卡', 'three hundred kilocalories'],
  ],
  times: [
    ['45min', '四十五分鐘', '四十五分钟', 'forty-five minutes'],
    ['2h', '兩小時', '两小时', 'two hours'],
    ['100ms', '一百毫秒', '一百毫秒', 'one hundred milliseconds'],
  ],
  temperatures: [
    ['25°C', '攝氏二十五度', '二十五摄氏度', 'twenty-five degrees Celsius'],
    ['25℃', '攝氏二十五度', '二十五摄氏度', 'twenty-five degrees Celsius'],
    ['-10°C', '攝氏零下十度', '零下十摄氏度', 'minus ten degrees Celsius'],
    ['98.6°F', '華氏九十八點六度', '九十八点六华氏度', 'ninety-eight point six degrees Fahrenheit'],
    ['1°C', '攝氏一度', '一摄氏度', 'one degree Celsius'],
  ],
  'ranges and scores': [
    ['3-5', '三至五', '三到五', 'three to five'],
    ['10-20%', '百分之十至二十', '百分之十到二十', 'ten to twenty percent'],
    ['5-10kg', '五至十公斤', '五到十千克', 'five to ten kilograms'],
    ['3-0', '三比零', '三比零', 'three nil'],
    ['3:2', '三比二', '三比二', 'three to two'],
    ['2019-2023', '二零一九至二零二三', '二零一九到二零二三', 'twenty nineteen to twenty twenty-three'],
  ],
  fractions: [
    ['3/4', '四分之三', '四分之三', 'three quarters'],
    ['2/3', '三分之二', '三分之二', 'two thirds'],
    ['1/8', '八分之一', '八分之一', 'an eighth'],
    ['2½', '二又二分之一', '二又二分之一', 'two and a half'],
    ['3 1/4', '三又四分之一', '三又四分之一', 'three and a quarter'],
  ],
};

const CASES = Object.entries(ROWS).flatMap(([group, rows]) =>
  rows.flatMap(([text, ...spoken]) => LANGUAGES.map((language) => ({ group, text, language, spoken }))),
);

describe('amounts are spoken', () => {
  test.each(CASES)('$group: $text in $language', ({ text, language, spoken: [cantonese, mandarin, english] }) => {
    expect(say(text, language)).toBe({ cantonese, mandarin, english }[language]);
  });
});

describe('times of day', () => {
  test.each([
    ['3:30', '三點半', '三点半', 'three thirty'],
    ['3:00', '三點', '三点', "three o'clock"],
    ['14:00', '十四點', '十四点', 'fourteen hundred'],
    ['14:30', '十四點三十分', '十四点三十分', 'fourteen thirty'],
    ['8:05', '八點零五分', '八点零五分', 'eight oh five'],
    ['2:15', '兩點十五分', '两点十五分', 'two fifteen'],
  ])('%s', (text, cantonese, mandarin, english) => {
    expect([say(text, 'cantonese'), say(text, 'mandarin'), say(text, 'english')]).toEqual([
      cantonese,
      mandarin,
      english,
    ]);
  });
});

describe('ordinals and years in English', () => {
  test.each([
    ['the 1st', 'the first'],
    ['the 22nd', 'the twenty-second'],
    ['the 100th', 'the one hundredth'],
    ['in 1905', 'in nineteen oh five'],
    ['in 2000', 'in two thousand'],
    ['in 2026', 'in twenty twenty-six'],
    ['the 1960s', 'the nineteen sixties'],
    ['Henry VIII', 'Henry the Eighth'],
    ['World War II', 'World War Two'],
    ['Chapter IV', 'Chapter Four'],
    ['May 3', 'May the third'],
    ['3 May 2026', 'the third of May twenty twenty-six'],
    ['5/F', 'fifth floor'],
    ['room 1203', 'room one two oh three'],
    ['bus 960', 'bus nine six oh'],
    ['COVID-19', 'Covid nineteen'],
    ['192.168.0.1', 'one nine two dot one six eight dot zero dot one'],
    ['v2.10', 'version two point ten'],
    ['info@gov.hk', 'info at gov dot H K'],
    ['50% off', 'fifty percent off'],
    ['e.g. tea', 'for example tea'],
  ])('%s: %s', (text, spoken) => {
    expect(say(text, 'english')).toBe(spoken);
  });
});
