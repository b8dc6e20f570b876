import type { Language } from '@jyutsing/contracts/transcript';
import type { Token } from './tokens.ts';
import { isTouching, matchAt, textBefore, tokenAt, type TextCursor } from './text-cursor.ts';

/** Units with a slash where no number stands before them: the speed in km/h. */
const NAMES: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  'km/h': { cantonese: '公里每小時', mandarin: '公里每小时', english: 'kilometres per hour' },
  'm/s': { cantonese: '米每秒', mandarin: '米每秒', english: 'metres per second' },
  'mmol/L': { cantonese: '毫摩爾每公升', mandarin: '毫摩尔每升', english: 'millimoles per litre' },
  'mg/dL': { cantonese: '毫克每分升', mandarin: '毫克每分升', english: 'milligrams per decilitre' },
  'mg/L': { cantonese: '毫克每公升', mandarin: '毫克每升', english: 'milligrams per litre' },
  'g/L': { cantonese: '克每公升', mandarin: '克每升', english: 'grams per litre' },
  'kg/m³': { cantonese: '公斤每立方米', mandarin: '千克每立方米', english: 'kilograms per cubic metre' },
};
const RATE = /(?:km\/hr?|m\/s|mmol\/L|mg\/d?L|g\/L|kg\/m³)(?![\p{Script=Latin}\d²³^/])/uy;

/** Matches a unit with a slash that has no number. */
export function matchRate(source: TextCursor): Token | null {
  if (isTouching(source)) return null;
  const [written] = matchAt(RATE, source.text, source.at) ?? [];
  const names = written === undefined ? undefined : NAMES[written.replace(/hr$/u, 'h')];
  if (written === undefined || names === undefined) return null;
  const { language } = source;
  return tokenAt(source, written.length, { kind: 'given', language, spokenForm: names[language], reading: [] });
}

/** An angle before the point of the compass: 40°26′46″N. */
const ANGLE_BEFORE = /\d°(?: ?[\d.]+['′](?: ?[\d.]+(?:["″”]|''))?) ?$/u;
const POINT = /[NSEW](?![\p{L}\d])/uy;
const POINTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  cantonese: { N: '北', S: '南', E: '東', W: '西' },
  mandarin: { N: '北', S: '南', E: '东', W: '西' },
  english: { N: 'north', S: 'south', E: 'east', W: 'west' },
};

/** Matches the point of the compass behind the minutes or the seconds of an angle. */
export function matchPointOfAngle(source: TextCursor): Token | null {
  const [letter] = matchAt(POINT, source.text, source.at) ?? [];
  if (letter === undefined || !ANGLE_BEFORE.test(textBefore(source, 20))) return null;
  const { language } = source;
  return tokenAt(source, 1, { kind: 'given', language, spokenForm: POINTS[language][letter]!, reading: [] });
}
