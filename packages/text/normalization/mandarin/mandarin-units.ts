import { isFurther, nameOfCurrency, type FurtherCurrency } from '#text/normalization/further-currencies.ts';
import { namesOfSigns } from '#text/normalization/signs-of-mathematics.ts';
import type { Currency, Unit } from '#text/normalization/tokens.ts';

/** The spoken name after the number. Speeds follow their number too: 八十公里每小时. */
// prettier-ignore
export const UNIT_WORDS: Readonly<Record<Unit, string>> = {
  km: '公里', m: '米', cm: '厘米', mm: '毫米', 'μm': '微米', nm: '纳米', ft: '英尺', in: '英寸', yd: '码', mi: '英里',
  kg: '千克', g: '克', mg: '毫克', 'μg': '微克', lb: '磅', oz: '盎司',
  L: '升', mL: '毫升', 'm²': '平方米', 'km²': '平方公里', ha: '公顷', 'cm²': '平方厘米', 'ft²': '平方英尺', 'm³': '立方米', 'cm³': '立方厘米',
  'km/h': '公里每小时', 'm/s': '米每秒', 'm/s²': '米每二次方秒', mph: '英里每小时', Mbps: '兆比特每秒', Gbps: '吉比特每秒', Tbps: '太比特每秒', kbps: '千比特每秒', 'kg/m²': '千克每平方米', 'mg/dL': '毫克每分升', 'g/dL': '克每分升', 'μg/m³': '微克每立方米', 'mg/m³': '毫克每立方米', 'kg/m³': '千克每立方米',
  B: '字节', KB: '千字节', MB: '兆字节', GB: '吉字节', TB: '太字节',
  Hz: '赫兹', kHz: '千赫', MHz: '兆赫', GHz: '吉赫', V: '伏', W: '瓦', kW: '千瓦', kWh: '千瓦时', A: '安', mAh: '毫安时', mA: '毫安', mmHg: '毫米汞柱', 'mmol/L': '毫摩尔每升',
  kV: '千伏', MW: '兆瓦', GW: '吉瓦', MWh: '兆瓦时', MPa: '兆帕', kcal: '千卡', cal: '卡', kJ: '千焦', Pa: '帕', hPa: '百帕', kPa: '千帕', dB: '分贝', '°': '度', '′': '分', '″': '秒', '°N': '度', '°S': '度', '°E': '度', '°W': '度', px: '像素', ppm: '百万分之一', bpm: '次每分钟', fps: '帧每秒',
  ns: '纳秒', 'μs': '微秒', ms: '毫秒', s: '秒', min: '分钟', h: '小时', '×': '倍',
};

/** Words before the number. */
export const WORDS_BEFORE: Partial<Record<Unit, string>> = { '°N': '北纬', '°S': '南纬', '°E': '东经', '°W': '西经' };

/** Units that are read as English letters. */
export const UNIT_LETTERS: Partial<Record<Unit, string>> = { KB: 'K B', MB: 'M B', GB: 'G B', TB: 'T B', ppm: 'P P M' };

const CURRENCY_WORDS: Readonly<Record<Exclude<Currency, FurtherCurrency>, string>> = {
  dollar: '元',
  HKD: '港元',
  USD: '美元',
  CNY: '元',
  TWD: '新台币',
  MOP: '澳门元',
  AUD: '澳元',
  CAD: '加元',
  SGD: '新加坡元',
  EUR: '欧元',
  GBP: '英镑',
  JPY: '日元',
  KRW: '韩元',
  THB: '泰铢',
  INR: '卢比',
  PHP: '比索',
  VND: '越南盾',
  RUB: '卢布',
};

export const currencyWord = (currency: Currency): string =>
  isFurther(currency) ? nameOfCurrency(currency, 'zh-Hans') : CURRENCY_WORDS[currency];

/** Signs that are spoken; all others are silent. */
export const SYMBOL_WORDS: Readonly<Record<string, string>> = {
  '+': '加',
  '×': '乘',
  '÷': '除以',
  '=': '等于',
  '&': '和',
  '%': '百分号',
  '°': '度',
  '<': '小于',
  '>': '大于',
  '≥': '大于等于',
  '≤': '小于等于',
  '±': '正负',
  '≈': '约等于',
  '√': '根号',
  '@': '艾特',
  '№': '号',
  '→': '到',
  '℃': '摄氏度',
  '℉': '华氏度',
  '²': '的平方',
  '³': '的立方',
  '¢': '分',
  ...namesOfSigns('mandarin'),
};
