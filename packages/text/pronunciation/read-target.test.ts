import { array, assert, asyncProperty, constantFrom, oneof, string } from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { PronunciationTarget } from '@jyutsing/contracts/pronunciation';
import type { Language } from '@jyutsing/contracts/transcript';
import { cpuTimeMs } from '#test/cpu-time.ts';
import { readTarget } from './read-target.ts';

type Units = PronunciationTarget['units'];

const LANGUAGES: Language[] = ['cantonese', 'mandarin', 'english'];

beforeAll(async () => {
  for (const language of LANGUAGES) await readTarget(language === 'english' ? 'Hello' : '你好', language);
});

async function refusalOf(text: string, language: Language): Promise<AppError | null> {
  return (await outcomeOf(text, language)).refusal;
}

/** Returns the target or the AppError; other errors are rethrown. */
async function outcomeOf(text: string, language: Language): Promise<{ refusal: AppError | null; units: Units }> {
  try {
    const { units } = await readTarget(text, language);
    return { refusal: null, units };
  } catch (error) {
    if (error instanceof AppError) return { refusal: error, units: [] };
    throw error;
  }
}

const REFUSED: [Language, string, RegExp][] = [
  ['cantonese', 'Good morning, how are you?', /looks like English; send language=english/],
  ['cantonese', 'I have 3 cats', /language=english/],
  ['cantonese', 'nei hou', /Jyutping needs a tone/],
  ['mandarin', 'Good morning', /looks like English; send language=english/],
  ['mandarin', 'ni hao', /looks like pinyin without tones\. Pinyin needs its tones.* If it is English, send/],
  ['mandarin', "Nihao, xi'an!", /Pinyin needs its tones/],
  ['mandarin', 'café', /language=english/],
  ['english', '你好', /looks like Cantonese or Mandarin; send language=cantonese or language=mandarin/],
  ['english', '我有3個', /language=cantonese/],
  ['cantonese', '😀', /nothing to read in Cantonese/],
  ['mandarin', '……！？', /nothing to read in Mandarin/],
  ['english', 'Привет', /nothing to read in English/],
  ['english', 'مرحبا', /nothing to read in English/],
  ['english', '', /nothing to read in English/],
  ['cantonese', 'nei5 hou9', /"hou9" has no tone, 1 to 6, at its end; write jyutping as in "nei5 hou2"\./],
  ['cantonese', 'nei5hou9', /"hou9" has no tone/],
  ['cantonese', 'nei7', /"nei7" has no tone/],
  ['cantonese', 'xei5 hou2', /"xei5" is no syllable of jyutping/],
  ['cantonese', 'keoi5 hou2 lek1 aaa3', /"aaa3" is no syllable/],
  ['cantonese', '佢好lekk1呀', /"lekk1" is no syllable/],
  ['cantonese', '佢好lek1 aa0', /"aa0" has no tone/],
  ['cantonese', 'keoi5 hou2 lek aa3', /"lek" has no tone/],
  ['cantonese', 'nei5 hao9', /"hao9" has no tone/],
  ['cantonese', 'nei hou9', /"nei" has no tone/],
  ['cantonese', 'nei5 hou', /"hou" has no tone.* If it is pinyin, send language=mandarin\./],
  ['cantonese', 'nei hou2', /"nei" has no tone/],
  ['mandarin', 'ni3 hao9', /"hao9" has no tone, 1 to 5, at its end; write pinyin as in "ni3 hao3" or "nǐ hǎo"\./],
  ['mandarin', 'ni3 haoo3 吗', /"haoo3" is no syllable of pinyin/],
  ['cantonese', ' \n\t', /nothing to read in Cantonese/],
];

test.each(REFUSED)('%s cannot be read in "%s", and the message says what to do', async (language, text, message) => {
  const refusal = await refusalOf(text, language);
  expect(refusal?.code).toBe('text_not_readable');
  expect(refusal?.message).toMatch(message);
});

test.each([
  ['cantonese', '我hea咗 OK iPhone15 A4紙 B2B 5G 3D T恤 MP3 K11 V8 去7-11'],
  ['cantonese', '用win7玩ps5同mp3，睇day1嘅web3，no7，個app2，h1n1，covid19'],
  ['cantonese', 'nei5 hou2 iPhone15, room5 OK'],
  ['cantonese', 'hello5'],
  ['cantonese', '你 hou'],
  ['mandarin', '用win7玩ps5和mp3，看day1'],
  ['mandarin', 'ni3 hao'],
] as const)('%s: %s has no mistyped syllable', async (language, text) => {
  expect(await refusalOf(text, language)).toBeNull();
});

test('digits alone are read in all three languages', async () => {
  const texts = await Promise.all(LANGUAGES.map((language) => readTarget('2024', language)));
  expect(texts.map(({ units }) => units.map(({ text }) => text).join(' '))).toEqual([
    '二 零 二 四',
    '二 零 二 四',
    'twenty twenty four',
  ]);
});

const HOSTILE: [string, string][] = [
  ['5,000 emoji', '😀👨‍👩‍👧‍👦'.repeat(2500)],
  ['control characters', '\u0000\u0001\u001b\u0007\u007f\u0085'],
  ['lone surrogates', '\ud800\udc00\udfff\ud83d'],
  ['right-to-left overrides', '\u202e\u2066\u200f\u061c'],
  ['white space of all kinds', '\u00a0\u2003\u3000\u200b\ufeff\r\n'],
  ['combining marks', '\u0301'.repeat(500)],
];

test.each(HOSTILE)('%s have no units', async (_name, text) => {
  for (const language of LANGUAGES) {
    const refusal = await refusalOf(text, language);
    expect(refusal?.code).toBe('text_not_readable');
  }
});

test.each(HOSTILE)('%s beside a word leave only the word', async (_name, noise) => {
  const cantonese = await readTarget(`${noise}你好${noise}`, 'cantonese');
  expect(cantonese.units.map(({ text }) => text)).toEqual(['你', '好']);
  const english = await readTarget(`${noise} hello ${noise}`, 'english');
  expect(english.units.filter(({ kind }) => kind === 'word')).toHaveLength(1);
});

test.each([
  '../../etc/passwd',
  'C:\\Windows\\System32',
  '<script>alert(1)</script>',
  "'; DROP TABLE x; --",
  '__proto__',
  'constructor',
  '${jndi:ldap://x}',
])('%s is treated as an ordinary text', async (text) => {
  for (const language of LANGUAGES) {
    const refusal = await refusalOf(text, language);
    expect([undefined, 'text_not_readable']).toContain(refusal?.code);
    expect(refusal?.message ?? '').not.toContain(text);
  }
});

test('any text is read or refused, and units have readings', { timeout: 60_000 }, async () => {
  const pieces = constantFrom(
    '你好',
    '銀行',
    'hello',
    ' ',
    '，',
    '3:30',
    '$5',
    'nei5',
    'nǐ',
    '😀',
    '\ud800',
    '\u202e',
    '𨋢',
    '儿',
    '々',
    "'",
    '-',
    'É',
    '½',
    'Ⅷ',
    '٣',
  );
  const texts = oneof(
    array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
    string({ unit: 'binary', maxLength: 30 }),
  );
  await assert(
    asyncProperty(texts, constantFrom(...LANGUAGES), async (text, language) => {
      const { refusal, units } = await outcomeOf(text, language);
      expect(refusal?.code).toBe(units.length === 0 ? 'text_not_readable' : undefined);
      expect(units[0]?.afterPause ?? false).toBe(false);
      for (const unit of units) {
        const readings = unit.kind === 'syllable' ? unit.readings : unit.kind === 'word' ? unit.pronunciations : ['-'];
        expect(readings.length).toBeGreaterThan(0);
        expect(readings.every((reading) => reading.length > 0)).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
});

test('punctuation gives a pause, but never at the beginning', async () => {
  const { units } = await readTarget('「你好」，我係小明。再見！', 'cantonese');
  const paused = units.filter(({ afterPause }) => afterPause).map(({ text }) => text);
  expect(paused).toEqual(['我', '再']);
});

test('a long sentence without punctuation has no pause', async () => {
  const { units } = await readTarget('我哋一齊去行街食飯睇戲唱歌'.repeat(8), 'cantonese');
  expect(units).toHaveLength(13 * 8);
  expect(units.some(({ afterPause }) => afterPause)).toBe(false);
});

test('concurrent requests give the same result', async () => {
  const texts = Array.from({ length: 20 }, () => '我哋去銀行，然後行街。');
  const targets = await Promise.all(texts.map((text) => readTarget(text, 'cantonese')));
  for (const target of targets) expect(target).toEqual(targets[0]);
});

test('a thousand characters take about a second at most', async () => {
  const texts: Record<Language, string> = {
    cantonese: '今日天氣好好，我哋一齊去銅鑼灣食飯，順便買啲嘢，好唔好呀？'.repeat(33),
    mandarin: '今天天气很好，我们一起去吃饭，然后去买点儿东西，好不好？'.repeat(35),
    english: 'The weather is lovely today, so we went to the park with our friends. '.repeat(14),
  };
  for (const language of LANGUAGES) {
    await readTarget(texts[language], language);
    const started = cpuTimeMs();
    await readTarget(texts[language], language);
    // Usually a twentieth of this; a full collection of garbage must not fail the test.
    expect(cpuTimeMs() - started).toBeLessThan(1_000);
  }
});
