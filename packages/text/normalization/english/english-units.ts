import { namesOfSigns } from '#text/normalization/signs-of-mathematics.ts';
import { isFurther, type FurtherCurrency } from '#text/normalization/further-currencies.ts';
import type { Currency, Unit } from '#text/normalization/tokens.ts';

/** Singular and plural of units; one form if they are equal. */
// prettier-ignore
export const UNIT_WORDS: Readonly<Record<Unit, readonly [string, string?]>> = {
  km: ['kilometre', 'kilometres'], m: ['metre', 'metres'], cm: ['centimetre', 'centimetres'], mm: ['millimetre', 'millimetres'],
  'μm': ['micrometre', 'micrometres'], nm: ['nanometre', 'nanometres'], ft: ['foot', 'feet'], in: ['inch', 'inches'], yd: ['yard', 'yards'], mi: ['mile', 'miles'],
  kg: ['kilogram', 'kilograms'], g: ['gram', 'grams'], mg: ['milligram', 'milligrams'], 'μg': ['microgram', 'micrograms'], lb: ['pound', 'pounds'], oz: ['ounce', 'ounces'],
  L: ['litre', 'litres'], mL: ['millilitre', 'millilitres'], 'm²': ['square metre', 'square metres'], 'km²': ['square kilometre', 'square kilometres'], ha: ['hectare', 'hectares'],
  'cm²': ['square centimetre', 'square centimetres'], 'ft²': ['square foot', 'square feet'], 'm³': ['cubic metre', 'cubic metres'], 'cm³': ['cubic centimetre', 'cubic centimetres'],
  'km/h': ['kilometre per hour', 'kilometres per hour'], 'm/s': ['metre per second', 'metres per second'], 'm/s²': ['metre per second squared', 'metres per second squared'], mph: ['mile per hour', 'miles per hour'],
  Mbps: ['megabit per second', 'megabits per second'], Gbps: ['gigabit per second', 'gigabits per second'], kbps: ['kilobit per second', 'kilobits per second'], Tbps: ['terabit per second', 'terabits per second'],
  'kg/m²': ['kilogram per square metre', 'kilograms per square metre'],
  'mg/dL': ['milligram per decilitre', 'milligrams per decilitre'],
  'g/dL': ['gram per decilitre', 'grams per decilitre'],
  'μg/m³': ['microgram per cubic metre', 'micrograms per cubic metre'], 'mg/m³': ['milligram per cubic metre', 'milligrams per cubic metre'], 'kg/m³': ['kilogram per cubic metre', 'kilograms per cubic metre'],
  B: ['byte', 'bytes'], KB: ['kilobyte', 'kilobytes'], MB: ['megabyte', 'megabytes'], GB: ['gigabyte', 'gigabytes'], TB: ['terabyte', 'terabytes'],
  Hz: ['hertz'], kHz: ['kilohertz'], MHz: ['megahertz'], GHz: ['gigahertz'], V: ['volt', 'volts'], W: ['watt', 'watts'], kW: ['kilowatt', 'kilowatts'],
  kWh: ['kilowatt hour', 'kilowatt hours'], A: ['amp', 'amps'], mAh: ['milliamp hour', 'milliamp hours'], mA: ['milliamp', 'milliamps'],
  mmHg: ['millimetre of mercury', 'millimetres of mercury'], 'mmol/L': ['millimole per litre', 'millimoles per litre'],
  kV: ['kilovolt', 'kilovolts'],
  MW: ['megawatt', 'megawatts'],
  GW: ['gigawatt', 'gigawatts'],
  MWh: ['megawatt hour', 'megawatt hours'],
  MPa: ['megapascal', 'megapascals'],
  kcal: ['kilocalorie', 'kilocalories'], cal: ['calorie', 'calories'], kJ: ['kilojoule', 'kilojoules'], Pa: ['pascal', 'pascals'], hPa: ['hectopascal', 'hectopascals'],
  kPa: ['kilopascal', 'kilopascals'], dB: ['decibel', 'decibels'], '°': ['degree', 'degrees'], '′': ['minute', 'minutes'], '″': ['second', 'seconds'],
  '°N': ['degree north', 'degrees north'], '°S': ['degree south', 'degrees south'], '°E': ['degree east', 'degrees east'], '°W': ['degree west', 'degrees west'],
  px: ['pixel', 'pixels'], ppm: ['part per million', 'parts per million'],
  bpm: ['beat per minute', 'beats per minute'], fps: ['frame per second', 'frames per second'],
  ns: ['nanosecond', 'nanoseconds'], 'μs': ['microsecond', 'microseconds'], ms: ['millisecond', 'milliseconds'], s: ['second', 'seconds'], min: ['minute', 'minutes'], h: ['hour', 'hours'], '×': ['times', 'times'],
};

/** Singular and plural of a currency, and of its hundredth; null for a currency without one. */
type CurrencyWords = { one: string; several: string; cents: readonly [string, string] | null };

const CENTS = ['cent', 'cents'] as const;
const dollars = (place: string): CurrencyWords => ({ one: `${place}dollar`, several: `${place}dollars`, cents: CENTS });

const CURRENCY_WORDS: Readonly<Record<Exclude<Currency, FurtherCurrency>, CurrencyWords>> = {
  dollar: dollars(''),
  HKD: dollars('Hong Kong '),
  USD: dollars('U S '),
  AUD: dollars('Australian '),
  CAD: dollars('Canadian '),
  SGD: dollars('Singapore '),
  TWD: dollars('Taiwan '),
  MOP: { one: 'pataca', several: 'patacas', cents: ['avo', 'avos'] },
  CNY: { one: 'yuan', several: 'yuan', cents: null },
  EUR: { one: 'euro', several: 'euros', cents: CENTS },
  GBP: { one: 'pound', several: 'pounds', cents: ['penny', 'pence'] },
  JPY: { one: 'yen', several: 'yen', cents: null },
  KRW: { one: 'won', several: 'won', cents: null },
  THB: { one: 'baht', several: 'baht', cents: null },
  INR: { one: 'rupee', several: 'rupees', cents: ['paisa', 'paise'] },
  PHP: { one: 'peso', several: 'pesos', cents: ['centavo', 'centavos'] },
  VND: { one: 'dong', several: 'dong', cents: null },
  RUB: { one: 'rouble', several: 'roubles', cents: null },
};

export const currencyWords = (currency: Currency): CurrencyWords =>
  isFurther(currency) ? furtherWords(currency) : CURRENCY_WORDS[currency];

const furtherByCode = new Map<FurtherCurrency, CurrencyWords>();

/** The names of CLDR in the singular and plural: Swiss franc, Swiss francs. */
function furtherWords(currency: FurtherCurrency): CurrencyWords {
  const made = furtherByCode.get(currency);
  if (made !== undefined) return made;
  const names = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    maximumFractionDigits: 0,
  });
  const nameOf = (count: number) => {
    const name = names.formatToParts(count).find(({ type }) => type === 'currency')?.value ?? currency;
    return name
      .replace(/ \p{Lu}(?=\p{Ll}+$)/u, (last) => last.toLowerCase())
      .replace(/\p{Lu}{2,}/u, (letters) => [...letters].join(' '));
  };
  const words = { one: nameOf(1), several: nameOf(2), cents: null };
  furtherByCode.set(currency, words);
  return words;
}

/** Signs that are spoken; all others are silent. */
export const SYMBOL_WORDS: Readonly<Record<string, string>> = {
  '+': 'plus',
  '×': 'times',
  '*': 'times',
  '÷': 'divided by',
  '=': 'equals',
  '&': 'and',
  '%': 'percent',
  '°': 'degrees',
  '<': 'less than',
  '>': 'greater than',
  '≥': 'at least',
  '≤': 'at most',
  '±': 'plus or minus',
  '≈': 'about',
  '√': 'the square root of',
  '@': 'at',
  '→': 'to',
  '§': 'section',
  '♭': 'flat',
  '♯': 'sharp',
  '№': 'number',
  '℃': 'degrees Celsius',
  '℉': 'degrees Fahrenheit',
  '²': 'squared',
  '³': 'cubed',
  '¢': 'cents',
  ...namesOfSigns('english'),
};
