import { unsquared } from './match-squared.ts';
import type { Unit } from './tokens.ts';

/** Notations of units that differ from their key. Case matters. */
// prettier-ignore
const WRITTEN: Readonly<Record<string, Unit>> = {
  KM: 'km', Km: 'km', kms: 'km', CM: 'cm', MM: 'mm', um: 'μm', µm: 'μm',
  KG: 'kg', Kg: 'kg', kgs: 'kg', mcg: 'μg', µg: 'μg', ug: 'μg', lbs: 'lb', l: 'L', ml: 'mL', ML: 'mL', cc: 'mL',
  m2: 'm²', 'm^2': 'm²', sqm: 'm²', 'sq m': 'm²', 'sq.m': 'm²', 'sq ft': 'ft²', 'sq. ft': 'ft²', 'sq.ft': 'ft²', 'sq feet': 'ft²', km2: 'km²', cm2: 'cm²', ft2: 'ft²', sqft: 'ft²', m3: 'm³', cm3: 'cm³',
  kmh: 'km/h', 'KM/H': 'km/h', 'Km/h': 'km/h', kph: 'km/h', 'km/hr': 'km/h', Kbps: 'kbps', kB: 'KB', gb: 'GB', mb: 'MB', tb: 'TB',
  'kb/s': 'kbps', 'Mb/s': 'Mbps', 'Mbit/s': 'Mbps', 'Gb/s': 'Gbps', 'Gbit/s': 'Gbps', 'Tb/s': 'Tbps', 'Tbit/s': 'Tbps', 'µs': 'μs', 'µg/m³': 'μg/m³', 'ug/m3': 'μg/m³', 'μg/m3': 'μg/m³', 'µg/m3': 'μg/m³', 'mg/m3': 'mg/m³', 'kg/m3': 'kg/m³', 'kg/m2': 'kg/m²', 'mg/dl': 'mg/dL', 'g/dl': 'g/dL',
  hz: 'Hz', khz: 'kHz', mhz: 'MHz', KHz: 'kHz', KW: 'kW', KWh: 'kWh', kwh: 'kWh', mah: 'mAh', MAH: 'mAh', Kcal: 'kcal', db: 'dB',
  '㏊': 'ha', '㍍': 'm', '㌢': 'cm', '㍉': 'mm', '㌖': 'km', '㌘': 'g', '㌕': 'kg', '㍑': 'L', '㌶': 'ha', '㍗': 'W',
  '㎞/h': 'km/h', 'm/s2': 'm/s²', 'm/s^2': 'm/s²', '° N': '°N', '° S': '°S', '° E': '°E', '° W': '°W',
  sec: 's', secs: 's', mins: 'min', hr: 'h', hrs: 'h', '″': 'in',
};

/** The signs of units in one square: ㎞, ㏄. */
const [FIRST_SQUARED, LAST_SQUARED] = [0x3371, 0x33df];

/** Single letters that are often something else (class 5A, block 100B) are no units here. */
const KEYS = (
  'kg/m² mg/dL g/dL μg/m³ mg/m³ kg/m³ km/h m/s² m/s km² cm² ha ft² m³ cm³ m² km cm mm μm nm ft in yd mi kg mg μg lb oz mL Mbps Gbps Tbps kbps mph KB MB GB TB kHz MHz GHz Hz ' +
  'mmol/L mmHg kWh kW MWh MW GW kV MPa mAh mA kcal cal kJ hPa kPa Pa dB px ppm bpm fps ns μs ms min °N °S °E °W ° L m g s h V W'
).split(' ');

const TABLE = new Map<string, Unit>([
  ...KEYS.map((key): [string, Unit] => [key, key as Unit]),
  ...Object.entries(WRITTEN),
]);
for (let code = FIRST_SQUARED; code <= LAST_SQUARED; code += 1) {
  const sign = String.fromCharCode(code);
  const unit = TABLE.get(unsquared(sign));
  if (unit !== undefined) TABLE.set(sign, unit);
}

const escape = (text: string) => text.replace(/[\^/.]/gu, '\\$&');
const ALL = [...TABLE.keys()].toSorted((a, b) => b.length - a.length);
/** A unit at a position, not followed by a letter, so that 5 minutes is not a number of m. */
const UNIT = new RegExp(`( ?)(${ALL.map(escape).join('|')})(?![\\p{Script=Latin}\\d²³]|(?<=ha) ha)`, 'uy');
/**
 * Units that touch their number; after a space these letters are more often words of a sentence: 5
 * in a row, 3 h.
 */
const NEEDS_TO_TOUCH = new Set(['in', 's', 'V', 'W']);

/** The unit at a position and its length in UTF-16 units; null: none. */
export function unitAt(text: string, at: number): { unit: Unit; length: number } | null {
  UNIT.lastIndex = at;
  const match = UNIT.exec(text);
  const [whole = '', space = '', written = ''] = match ?? [];
  const unit = TABLE.get(written);
  if (unit === undefined || (space !== '' && NEEDS_TO_TOUCH.has(written))) return null;
  return { unit, length: whole.length };
}
