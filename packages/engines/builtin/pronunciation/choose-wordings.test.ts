import { expect, it } from 'vitest';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { chooseWordings } from './choose-wordings.ts';

/** A text, what was recognized, and the text of the chosen units; `-`: the usual ones. */
const ROWS = [
  ['佢今年23歲', 'keoi5 gam1 nin4 ji6 sap6 saam1 seoi3', '-'],
  ['佢今年23歲', 'keoi5 gam1 nin4 jaa6 saam1 seoi3', '佢今年廿三歲'],
  ['23歲同35歲', 'ji6 sap6 saam1 seoi3 tung4 saa1 ng5 seoi3', '二十三歲同卅五歲'],
  ['2:30開會，200蚊', 'loeng5 dim2 saam1 sap6 fan1 hoi1 wui2 loeng5 baak3 man1', '兩點三十分開會兩百蚊'],
  ['要2.5公斤', 'jiu3 loeng5 gung1 gan1 bun3', '要兩公斤半'],
  ['5/12交功課', 'ng5 jyut6 sap6 ji6 hou6 gaau1 gung1 fo3', '五月十二號交功課'],
  // Other numbers are mistakes, and so is everything else.
  ['佢今年23歲', 'keoi5 gam1 nin4 sei3 sap6 baat3 seoi3', '-'],
  ['一共200蚊', 'jat1 gung6 cat1 baak3 man1', '-'],
  ['我哋去食飯', 'ngo5 dei6 heoi3 jam2 caa4', '-'],
  ['佢今年23歲', '', '-'],
] as const;

it.each(ROWS)('%s, %s: %s', async (text, recognized, expected) => {
  const target = await readTarget(text, 'cantonese');
  if (target.language === 'english') throw new Error('the target is English');
  const chosen = chooseWordings(target, recognized);
  expect(chosen === null ? '-' : chosen.units.map((unit) => unit.text).join('')).toBe(expected);
});
