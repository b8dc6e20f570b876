import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textToJyutping } from '#text/readings/text-to-jyutping.ts';
import { usualHongKongForms } from '#text/script/convert-script.ts';
import { parseSyllable } from '#text/syllables/jyutping.ts';
import { leastCpuTimeMs } from '#test/cpu-time.ts';
import { loadShippedCorpora } from './load-shipped-corpora.ts';

const folder = join(import.meta.dirname, '../../../corpora');
const corpora = loadShippedCorpora(folder);

/** Readings that the dictionary lacks, with the reason why they are right. */
const UNLISTED_READINGS: Readonly<Record<string, string>> = {
  '坪洲 坪 peng4': 'the colloquial reading, as in 平 (peng4): what the island and its ferry are called',
};
/** Proper names that the spelling rules would change if they stand alone. */
const NAMES_AGAINST_THE_RULES = new Set(['黎先生', '蘇黎世保險', '贊育醫院']);

const attested = new Map<string, readonly string[]>();
function readingsOf(char: string): readonly string[] {
  let readings = attested.get(char);
  if (readings === undefined) {
    readings = textToJyutping(char)[0]?.readings ?? [];
    attested.set(char, readings);
  }
  return readings;
}

/** An attested reading, or one with the changed tone of everyday words. */
function isAttested(char: string, syllable: string): boolean {
  const spoken = parseSyllable(syllable);
  return readingsOf(char).some((reading) => {
    if (reading === syllable) return true;
    const attested = parseSyllable(reading);
    return (
      attested !== null &&
      (spoken?.tone === 1 || spoken?.tone === 2) &&
      attested.onset === spoken.onset &&
      attested.rime === spoken.rime
    );
  });
}

test('the documented corpora exist', () => {
  expect(corpora.map(({ id }) => id)).toEqual([
    'companies-and-banks',
    'finance',
    'food',
    'government-bodies',
    'hong-kong-districts',
    'medicine',
    'mtr-stations',
    'names',
    'particles-and-colloquialisms',
    'schools-and-hospitals',
    'streets-and-estates',
  ]);
});

describe.each(corpora)('$id', ({ entries, language, description }) => {
  test('has a name and a description and holds hundreds of terms', () => {
    expect(language).toBe('cantonese');
    expect(description.length).toBeGreaterThan(20);
    expect(entries.length).toBeGreaterThan(200);
  });

  test('holds Chinese terms only, none twice, none of a single character', () => {
    expect(entries.filter(({ text }) => !/^\p{Script=Han}{2,20}$/u.test(text))).toEqual([]);
    expect(new Set(entries.map(({ text }) => text)).size).toBe(entries.length);
  });

  test('gives each character an attested reading', () => {
    const wrong: string[] = [];
    for (const { text, jyutping } of entries) {
      const syllables = jyutping?.split(' ') ?? [];
      for (const [index, char] of [...text].entries()) {
        const syllable = syllables[index] ?? '(none)';
        const place = `${text} ${char} ${syllable}`;
        if (!(place in UNLISTED_READINGS) && !isAttested(char, syllable)) wrong.push(place);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('spells every term like the transcripts of the service', () => {
    const misspelled = entries.filter(
      ({ text }) => usualHongKongForms(text) !== text && !NAMES_AGAINST_THE_RULES.has(text),
    );
    expect(misspelled.map(({ text }) => `${text} → ${usualHongKongForms(text)}`)).toEqual([]);
  });
});

test('a term in several corpora has one reading', () => {
  const readingOf = new Map<string, string | null>();
  const differing: string[] = [];
  for (const { text, jyutping } of corpora.flatMap(({ entries }) => entries)) {
    if (readingOf.has(text) && readingOf.get(text) !== jyutping) differing.push(text);
    readingOf.set(text, jyutping);
  }
  expect(differing).toEqual([]);
});

test('docs/corpora.md lists every corpus', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/corpora.md'), 'utf8');
  const listed = [...page.matchAll(/^- `([a-z-]+)` (\S+): (.+) \((\d+)\)$/gmu)].map((entry) => entry.slice(1));
  expect(listed).toEqual(
    corpora.map(({ id, name, description, entries }) => [id, name, description, String(entries.length)]),
  );
});

test('loading them takes a negligible part of the start', async () => {
  expect(await leastCpuTimeMs(() => void loadShippedCorpora(folder), 500)).toBeLessThan(500);
});

test.each([
  ['深水埗', 'sam1 seoi2 bou2'],
  ['筲箕灣', 'saau1 gei1 waan1'],
  ['鰂魚涌', 'zak1 jyu4 cung1'],
  ['大角咀', 'daai6 gok3 zeoi2'],
  ['荔枝角', 'lai6 zi1 gok3'],
  ['柯士甸', 'o1 si6 din1'],
  ['葛量洪醫院', 'got3 loeng6 hung4 ji1 jyun2'],
  ['入境處', 'jap6 ging2 cyu3'],
  ['立法會', 'laap6 faat3 wui2'],
  ['紅豆冰', 'hung4 dau2 bing1'],
])('%s is read %s', (text, jyutping) => {
  const entry = corpora.flatMap(({ entries }) => entries).find((item) => item.text === text);
  expect(entry?.jyutping).toBe(jyutping);
});
