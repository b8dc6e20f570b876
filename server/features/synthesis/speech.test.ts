import { expect, test } from 'vitest';
import { countSyllables, pausesIn, splitSpeechText } from './speech.ts';

const source = { text: null, jyutping: null, language: 'cantonese', fromSimplified: false } as const;
const textsOf = async (text: string) =>
  (await splitSpeechText({ ...source, text })).parts.map((part) => ('text' in part ? part.text : part.spokenForm));

test('a text is split into pieces, the first one short', async () => {
  const text = '早晨，今日天氣好好。我哋一齊去飲茶啦！';
  const pieces = await textsOf(text);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(text);
  const simplified = { ...source, text, fromSimplified: true };
  expect((await splitSpeechText(simplified)).fromSimplified).toBe(true);
  expect((await splitSpeechText({ ...simplified, language: 'mandarin' })).fromSimplified).toBe(false);
});

test.each(['a', '\u{20BB7}', 'ab-'])('no piece is longer than 300 characters: %j repeated', async (part) => {
  const text = part.repeat(4_800 / part.length);
  const pieces = await textsOf(text);
  expect(pieces.join('')).toBe(text);
  expect(Math.max(...pieces.map((piece) => Array.from(piece).length))).toBeLessThanOrEqual(300);
});

test.each(['', ' ', '。。。', '\u{1F600}\u{1F600}', '\u202e\u0000', '\u{D800}', 'שלום'])(
  'a text without anything to speak is refused: %j',
  async (text) => {
    await expect(splitSpeechText({ ...source, text })).rejects.toThrow('nothing that can be spoken');
  },
);

test('jyutping gives its syllables, alone or beside a text', async () => {
  const alone = await splitSpeechText({ ...source, jyutping: 'nei5 hou2, zou2 san4.' });
  expect(countSyllables(alone)).toBe(4);
  const beside = await splitSpeechText({ ...source, text: '你好', jyutping: 'lei5 hou2' });
  expect(countSyllables(beside)).toBe(2);
  await expect(splitSpeechText({ ...source, jyutping: 'hello' })).rejects.toThrow('"hello"');
  await expect(splitSpeechText({ ...source, jyutping: '。' })).rejects.toThrow('nothing that can be spoken');
});

const withPauses = (pauses: string) => [
  { ...source, text: `早${pauses}晨` },
  { ...source, jyutping: `zou2 ${pauses} san4` },
];

test('the pauses of a text and its jyutping add up to two minutes at most', async () => {
  const most = '<break time="10s"/>'.repeat(12);
  for (const accepted of withPauses(most)) expect(pausesIn(await splitSpeechText(accepted))).toBe(120_000);
  for (const refused of withPauses(`${most}<break time="1ms"/>`)) {
    await expect(splitSpeechText(refused)).rejects.toThrow('add up to 121 seconds; one request may have at most 120');
  }
});
