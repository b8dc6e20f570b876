import { expect, it } from 'vitest';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { normalize } from './normalize.ts';
import { tokenizePiece } from './tokenize.ts';

const spell = (text: string, language: Language) =>
  normalize(tokenizePiece(text, language), language)?.spokenForm.replace(/[。.]$/u, '') ?? '';

type Row = [text: string, cantonese: string, mandarin: string, english: string];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'powers are spoken': [
    ['10²', '十嘅二次方', '十的平方', 'ten squared'],
    ['5³', '五嘅三次方', '五的立方', 'five cubed'],
    ['2^10', '二嘅十次方', '二的十次方', 'two to the power of ten'],
    ['10^-3', '十嘅負三次方', '十的负三次方', 'ten to the power of minus three'],
    ['x²', 'X嘅二次方', 'X的平方', 'X squared'],
    ['20m²', '二十平方米', '二十平方米', 'twenty square metres'],
  ],
  'every plus of a name is spoken': [
    ['C++', 'C plus plus', 'C加加', 'C plus plus'],
    ['A+', 'A plus', 'A加', 'A plus'],
  ],
  'durations of two units': [
    ['等30s', '等三十秒', '等三十秒', '等thirties'],
    ['2h30m', '兩小時三十分鐘', '两小时三十分钟', 'two hours thirty minutes'],
    ['5m30s', '五分鐘三十秒', '五分钟三十秒', 'five minutes thirty seconds'],
    ['1h5m10s', '一小時五分鐘十秒', '一小时五分钟十秒', 'one hour five minutes ten seconds'],
    ['30m', '三十米', '三十米', 'thirty metres'],
    ['2h30', '兩小時三十分鐘', '两小时三十分钟', 'two hours thirty minutes'],
    ['1h05', '一小時五分鐘', '一小时五分钟', 'one hour five minutes'],
    [
      '1h30/2h30',
      '一小時三十分鐘兩小時三十分鐘',
      '一小时三十分钟两小时三十分钟',
      'one hour thirty minutes two hours thirty minutes',
    ],
    ['2h05m', '兩小時五分鐘', '两小时五分钟', 'two hours five minutes'],
  ],
  'telephone numbers with the code of a place': [
    [
      '852-23456789',
      '八五二，二三四五，六七八九',
      '八五二，二三四五，六七八九',
      'eight five two, two three four five, six seven eight nine',
    ],
    [
      '853 66123456',
      '八五三，六六一二，三四五六',
      '八五三，六六幺二，三四五六',
      'eight five three, double six one two, three four five six',
    ],
    [
      '86-13812345678',
      '八六，一三八，一二三四，五六七八',
      '八六，幺三八，幺二三四，五六七八',
      'eight six, one three eight, one two three four, five six seven eight',
    ],
    ['500-1000', '五百至一千', '五百到一千', 'five hundred to one thousand'],
  ],
  'school and financial years': [
    ['2024/25', '二零二四至二五', '二零二四到二五', 'twenty twenty-four to twenty-five'],
    ['1999/2000', '一九九九至二千', '一九九九到二零零零', 'nineteen ninety-nine to two thousand'],
    ['1999/00', '一九九九至零零', '一九九九到零零', 'nineteen ninety-nine to oh oh'],
  ],
  'numbers in circles and brackets': [
    ['①', '一', '一', 'one'],
    ['⑳', '二十', '二十', 'twenty'],
    ['❷', '二', '二', 'two'],
    ['➌', '三', '三', 'three'],
    ['⑷', '四', '四', 'four'],
    ['㈤', '五', '五', 'five'],
    ['㊱', '三十六', '三十六', 'thirty-six'],
    ['第Ⅳ章', '第四章', '第四章', '第四章'],
    ['Ⅰ', '一', '一', 'one'],
    ['ⅻ', '十二', '十二', 'twelve'],
    ['⓪', '零', '零', 'zero'],
    ['👍①', '一', '一', 'one'],
  ],
  'a sign after a picture is still read': [
    ['👍₩500', '五百韓元', '五百韩元', 'five hundred won'],
    ['👍⅞', '八分之七', '八分之七', 'seven eighths'],
  ],
  'amounts of money': [
    ['$0', '零蚊', '零块', 'zero dollars'],
    ['$0.5', '五毫', '五毛', 'fifty cents'],
    ['$1.5', '個半', '一块五', 'one dollar fifty'],
    ['$2', '兩蚊', '两块', 'two dollars'],
    ['$2.2', '兩個二', '两块二', 'two dollars twenty'],
    ['$100.05', '一百點零五蚊', '一百块零五分', 'one hundred dollars and five cents'],
    ['$1,000,000', '一百萬蚊', '一百万元', 'one million dollars'],
    ['$3bn', '三十億蚊', '三十亿元', 'three billion dollars'],
    ['$5-10', '五至十蚊', '五到十块', 'five to ten dollars'],
    ['£0.50', '零點五零英鎊', '零点五英镑', 'fifty pence'],
    ['£1.01', '一點零一英鎊', '一点零一英镑', 'one pound and one penny'],
    ['HKD100', '一百蚊', '一百港元', 'one hundred Hong Kong dollars'],
    ['₹5', '五盧比', '五卢比', 'five rupees'],
    ['₹1,000.50', '一千點五零盧比', '一千点五卢比', 'one thousand rupees fifty'],
    ['₹100/kg', '一百盧比每公斤', '一百卢比每千克', 'one hundred rupees per kilogram'],
    ['¥38/L', '三十八日圓每公升', '三十八块每升', 'thirty-eight yen per litre'],
    ['₱100', '一百披索', '一百比索', 'one hundred pesos'],
    ['₫50,000', '五萬越南盾', '五万越南盾', 'fifty thousand dong'],
    ['₽1', '一盧布', '一卢布', 'one rouble'],
    ['5₹', '五盧比', '五卢比', 'five rupees'],
    ['5 USD', '五美元', '五美元', 'five U S dollars'],
  ],
  integers: [
    ['0', '零', '零', 'zero'],
    ['007', '零零七', '零零七', 'double oh seven'],
    ['200', '二百', '两百', 'two hundred'],
    ['1001', '一千零一', '一千零一', 'one thousand and one'],
    ['1010', '一千零一十', '一千零一十', 'one thousand and ten'],
    ['10001', '一萬零一', '一万零一', 'ten thousand and one'],
    ['20000', '兩萬', '两万', 'twenty thousand'],
    ['1,234', '一千二百三十四', '一千二百三十四', 'one thousand two hundred and thirty-four'],
    ['1,000,000', '一百萬', '一百万', 'one million'],
    ['-3', '負三', '负三', 'minus three'],
    ['-0', '負零', '负零', 'minus zero'],
  ],
  'decimals, shares and fractions': [
    ['.5', '零點五', '零点五', 'zero point five'],
    ['3.14', '三點一四', '三点一四', 'three point one four'],
    ['1,000.50', '一千點五零', '一千点五零', 'one thousand point five zero'],
    ['0.5%', '百分之零點五', '百分之零点五', 'zero point five percent'],
    ['10-15%', '百分之十至十五', '百分之十到十五', 'ten to fifteen percent'],
    ['5‰', '千分之五', '千分之五', 'five per mille'],
    ['1/2', '二分之一', '二分之一', 'a half'],
    ['½', '二分之一', '二分之一', 'a half'],
  ],
  'dates and times, also those that do not exist': [
    [
      '2024-02-29',
      '二零二四年二月二十九號',
      '二零二四年二月二十九日',
      'the twenty-ninth of February twenty twenty-four',
    ],
    ['31/12', '十二月三十一號', '十二月三十一日', 'the thirty-first of December'],
    ['13/13/2024', '十三十三二零二四', '十三十三二零二四', 'thirteen thirteen twenty twenty-four'],
    ['3:00pm', '下晝三點', '下午三点', 'three P M'],
    ['12:05', '十二點零五分', '十二点零五分', 'twelve oh five'],
    ['23:59', '二十三點五十九分', '二十三点五十九分', 'twenty-three fifty-nine'],
    ['25:61', '二十五比六十一', '二十五比六十一', 'twenty-five to sixty-one'],
    ['10:30-11:45', '十點半至十一點四十五分', '十点半到十一点四十五分', 'ten thirty to eleven forty-five'],
  ],
  quantities: [
    ['1 km', '一公里', '一公里', 'one kilometre'],
    ['0 km', '零公里', '零公里', 'zero kilometres'],
    ['60km/h', '時速六十公里', '六十公里每小时', 'sixty kilometres per hour'],
    ['1.5m', '一點五米', '一点五米', 'one point five metres'],
    ['5-10kg', '五至十公斤', '五到十千克', 'five to ten kilograms'],
    ['-5°C', '攝氏零下五度', '零下五摄氏度', 'minus five degrees Celsius'],
    ['32°F', '華氏三十二度', '三十二华氏度', 'thirty-two degrees Fahrenheit'],
  ],
  'sums and comparisons': [
    ['1+1=2', '一加一等於二', '一加一等于二', 'one plus one equals two'],
    ['3-1=2', '三減一等於二', '三减一等于二', 'three minus one equals two'],
    ['3×4', '三乘四', '三乘四', 'three times four'],
    ['8÷2', '八除以二', '八除以二', 'eight divided by two'],
    ['≥5', '大過或等於五', '大于等于五', 'at least five'],
    ['~5', '大約五', '约五', 'about five'],
  ],
  'lists of numbers and versions': [
    ['4-3-3', '四三三', '四三三', 'four three three'],
    ['1-2-3-4', '一二三四', '一二三四', 'one two three four'],
    ['10-3-2=5', '十減三減二等於五', '十减三减二等于五', 'ten minus three minus two equals five'],
    ['V1.2.3', 'V一點二點三', 'V一点二点三', 'version one point two point three'],
    ['V8', 'V八', 'V八', 'V eight'],
  ],
  mountains: [
    ['Mt. Everest', 'Mount Everest', 'Mount Everest', 'Mount Everest'],
    ['Mt Fuji', 'Mount Fuji', 'Mount Fuji', 'Mount Fuji'],
  ],
  'pictures and lone marks are silent': [
    ['👍', '', '', ''],
    ['^_^', '', '', ''],
    [':)', '', '', ''],
    ['™', '', '', ''],
  ],
};

const CASES = Object.entries(ROWS).flatMap(([group, rows]) =>
  rows.flatMap(([text, ...spoken]) => LANGUAGES.map((language) => ({ group, text, language, spoken }))),
);

it.each(CASES)('$group: $text in $language', ({ text, language, spoken: [cantonese, mandarin, english] }) => {
  expect(spell(text, language)).toBe({ cantonese, mandarin, english }[language]);
});
