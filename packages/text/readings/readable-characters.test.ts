import { expect, test } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { loadAddReadings } from '#text/normalization/add-readings.ts';
import { tokenizePiece } from '#text/normalization/tokenize.ts';
import { charactersWithReading } from '#text/testing/characters-with-reading.ts';
import { unreadableCharacters } from './readable-characters.ts';

const unread = (text: string, language: Language = 'cantonese') =>
  unreadableCharacters(tokenizePiece(text, language), language).join('');

/** A prime, so that the sample meets every block. All characters take half a minute. */
const STEP = 13;

test('the table has the characters that the dictionaries read; else run scripts/write-readable-characters.ts', async () => {
  const addReadings = await loadAddReadings();
  const wrong: string[] = [];
  for (const language of ['cantonese', 'mandarin'] as const) {
    for (const { characters, read } of charactersWithReading(language, addReadings, STEP)) {
      wrong.push(
        ...characters.filter((one) => (unread(one, language) === '') !== read.has(one) && !'々⺀'.includes(one)),
      );
    }
  }
  expect(wrong).toEqual([]);
});

test('a character that no dictionary reads is found, unless its reading follows', () => {
  expect(unread('我食𪚥同𡃁仔，鿕')).toBe('𪚥鿕');
  expect(unread('我識𪚥(dou6)字')).toBe('');
  expect(unread('我識𪚥 dou6')).toBe('');
  expect(unread('我識𪚥 dòu')).toBe('');
  expect(unread('我食𪚥OK')).toBe('𪚥');
  expect(unread('我食飯，ABC 123 😀')).toBe('');
  expect(unread('佢係人々')).toBe('');
  expect(unread('𪚥', 'english')).toBe('');
  expect(unread('好靚喎，係㗎，讌會，嘍儸，買餸', 'mandarin')).toBe('');
});
