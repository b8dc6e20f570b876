import { isFurther, nameOfCurrency, type FurtherCurrency } from '#text/normalization/further-currencies.ts';
import { namesOfSigns } from '#text/normalization/signs-of-mathematics.ts';
import type { Currency, Unit } from '#text/normalization/tokens.ts';

/**
 * The spoken name of a unit after its number; `before` precedes the number. A unit read as letters
 * is English.
 */
type UnitName = { before: string; after: string } | { letters: string };

const after = (name: string): UnitName => ({ before: '', after: name });
const letters = (name: string): UnitName => ({ letters: name });

/**
 * The names in Hong Kong's schools and shops: metric units in Chinese, computer units by their
 * letters.
 */
// prettier-ignore
export const UNIT_NAMES: Readonly<Record<Unit, UnitName>> = {
  km: after('公里'), m: after('米'), cm: after('厘米'), mm: after('毫米'), 'μm': after('微米'), nm: after('納米'),
  ft: after('呎'), in: after('吋'), yd: after('碼'), mi: after('英里'),
  kg: after('公斤'), g: after('克'), mg: after('毫克'), 'μg': after('微克'), lb: after('磅'), oz: after('安士'),
  L: after('公升'), mL: after('毫升'), 'm²': after('平方米'), 'km²': after('平方公里'), ha: after('公頃'), 'cm²': after('平方厘米'), 'ft²': after('平方呎'),
  'm³': after('立方米'), 'cm³': after('立方厘米'),
  'km/h': { before: '時速', after: '公里' }, mph: { before: '時速', after: '英里' }, 'm/s': { before: '每秒', after: '米' },
  'm/s²': after('米每二次方秒'),
  Mbps: letters('M B P S'), Gbps: letters('G B P S'), Tbps: letters('T B P S'), 'kg/m²': after('公斤每平方米'), 'mg/dL': after('毫克每分升'), 'g/dL': after('克每分升'), 'μg/m³': after('微克每立方米'), 'mg/m³': after('毫克每立方米'), 'kg/m³': after('公斤每立方米'), kbps: letters('K B P S'),
  B: letters('B'), KB: letters('K B'), MB: letters('M B'), GB: letters('G B'), TB: letters('T B'),
  Hz: after('赫茲'), kHz: after('千赫'), MHz: after('兆赫'), GHz: letters('G Hertz'),
  V: after('伏特'), W: after('瓦'), kW: after('千瓦'), kWh: after('千瓦時'), A: after('安培'), mAh: after('毫安時'), mA: after('毫安'),
  mmHg: after('毫米水銀柱'), 'mmol/L': after('毫摩爾每公升'),
  kV: after('千伏特'), MW: after('兆瓦'), GW: after('吉瓦'), MWh: after('兆瓦時'), MPa: after('兆帕斯卡'), kcal: after('千卡'), cal: after('卡路里'), kJ: after('千焦'), Pa: after('帕斯卡'), hPa: after('百帕斯卡'), kPa: after('千帕斯卡'),
  dB: after('分貝'), '°': after('度'), '′': after('分'), '″': after('秒'),
  '°N': { before: '北緯', after: '度' }, '°S': { before: '南緯', after: '度' }, '°E': { before: '東經', after: '度' }, '°W': { before: '西經', after: '度' },
  px: after('像素'), ppm: letters('P P M'), bpm: letters('B P M'), fps: letters('F P S'),
  ns: after('納秒'), 'μs': after('微秒'), ms: after('毫秒'), s: after('秒'), min: after('分鐘'), h: after('小時'), '×': after('倍'),
};

type Foreign = Exclude<Currency, 'dollar' | 'HKD'>;

/** The Hong Kong dollar is 蚊 in speech; other currencies have their names. */
const CURRENCY_NAMES: Readonly<Record<Exclude<Foreign, FurtherCurrency>, string>> = {
  USD: '美元',
  CNY: '元人民幣',
  TWD: '元台幣',
  MOP: '元澳門幣',
  AUD: '澳元',
  CAD: '加元',
  SGD: '坡元',
  EUR: '歐元',
  GBP: '英鎊',
  JPY: '日圓',
  KRW: '韓元',
  THB: '泰銖',
  INR: '盧比',
  PHP: '披索',
  VND: '越南盾',
  RUB: '盧布',
};

export const currencyName = (currency: Foreign): string =>
  isFurther(currency) ? nameOfCurrency(currency, 'zh-Hant-HK') : CURRENCY_NAMES[currency];

/** Signs between numbers or words. Signs that are not listed are silent. */
export const SYMBOL_NAMES: Readonly<Record<string, string>> = {
  '×': '乘',
  '÷': '除以',
  '=': '等於',
  '≥': '大過或等於',
  '≤': '細過或等於',
  '±': '正負',
  '≈': '約等於',
  '√': '開方',
  '%': '百分比',
  '&': '同',
  '℃': '攝氏度',
  '℉': '華氏度',
  '№': '號碼',
  '²': '嘅二次方',
  '³': '嘅三次方',
  '¢': '仙',
  ...namesOfSigns('cantonese'),
};

/** Signs that are spoken only between numbers. */
export const SYMBOL_NAMES_IN_SUMS: Readonly<Record<string, string>> = {
  '+': '加',
  '-': '減',
  '*': '乘',
  '/': '除以',
  '<': '細過',
  '>': '大過',
};
