import { expect, test } from 'vitest';
import type { Language, Word } from '@jyutsing/contracts/transcript';
import { cpuTimeMs } from '#test/cpu-time.ts';
import { finishText, toScriptOf } from './finish-text.ts';
import { joinWords, splitIntoUnits } from './join-words.ts';
import { punctuate } from './punctuation/punctuate.ts';

/** Consecutive words of 180 ms; a number is a pause in ms. */
function spoken(...parts: (string | number)[]): Word[] {
  const words: Word[] = [];
  let atMs = 0;
  for (const part of parts) {
    if (typeof part === 'number') atMs += part;
    else {
      words.push({ text: part, reading: null, startMs: atMs, endMs: atMs + 180, confidence: null });
      atMs += 180;
    }
  }
  return words;
}

/** Han characters one by one, other words whole; `|` is a pause of 500 ms, `/` one of 1.2 s. */
function wordsOf(text: string): Word[] {
  const parts = text.match(/\p{Script=Han}|[|/]|[^\p{Script=Han}\s|/]+/gu) ?? [];
  return spoken(...parts.map((part) => (part === '|' ? 500 : part === '/' ? 1_200 : part)));
}

const CASES: [Language, string, string][] = [
  ['cantonese', '我今日去咗銀行|跟住返屋企', '我今日去咗銀行，跟住返屋企。'],
  ['cantonese', '我今日去咗銀行/佢冇嚟', '我今日去咗銀行。佢冇嚟。'],
  ['cantonese', '你食咗飯未呀', '你食咗飯未呀？'],
  ['cantonese', '你係唔係香港人', '你係唔係香港人？'],
  ['cantonese', '點解咁貴嘅', '點解咁貴嘅？'],
  ['cantonese', '你去邊度呀|我送你去啦', '你去邊度呀？我送你去啦。'],
  ['cantonese', '我唔知佢去咗邊度', '我唔知佢去咗邊度。'],
  ['cantonese', '邊個都得', '邊個都得。'],
  ['cantonese', '佢從未去過', '佢從未去過。'],
  ['cantonese', '你鍾意呢個嗎', '你鍾意呢個嗎？'],
  ['cantonese', '有冇人呀', '有冇人呀？'],
  ['cantonese', '我想話你知有冇人嚟', '我想話你知有冇人嚟。'],
  ['cantonese', '咁|我走先', '咁我走先。'],
  ['cantonese', '我send咗email俾你', '我send咗email俾你。'],
  ['cantonese', '今日天氣好好呀', '今日天氣好好呀。'],
  ['cantonese', '係', '係。'],
  ['mandarin', '你吃饭了吗', '你吃饭了吗？'],
  ['mandarin', '今天天气很好|我们去公园吧', '今天天气很好，我们去公园吧。'],
  ['mandarin', '这是什么', '这是什么？'],
  ['mandarin', '我不知道这是什么', '我不知道这是什么。'],
  ['mandarin', '你是不是中国人', '你是不是中国人？'],
  ['mandarin', '谁都可以', '谁都可以。'],
  ['mandarin', '那你呢', '那你呢？'],
  ['english', 'where is the station', 'Where is the station?'],
  ['english', "i think i'm late / can you wait", "I think I'm late. Can you wait?"],
  ['english', 'when i was young i lived here', 'When I was young I lived here.'],
  ['english', 'do you like it', 'Do you like it?'],
  ['english', 'do the work first', 'Do the work first.'],
  ['english', 'she said that i can go | but not today', 'She said that I can go, but not today.'],
  ['english', "it's nice isn't it", "It's nice isn't it?"],
  ['english', 'how many people are there', 'How many people are there?'],
  ['english', 'i o u and hi i', 'I o u and hi I.'],
];

test.each(CASES)('%s: "%s" is punctuated "%s"', (language, words, text) => {
  expect(punctuate(wordsOf(words), language)).toBe(text);
});

test('punctuation never changes words', () => {
  const words = wordsOf('你食咗飯未呀|我食咗');
  const before = structuredClone(words);
  punctuate(words, 'cantonese');
  expect(words).toEqual(before);
});

test('no words give an empty text', () => {
  expect(punctuate([], 'cantonese')).toBe('');
  expect(finishText([], 'english')).toEqual({ text: '', words: [] });
  expect(finishText(spoken(' ', ''), 'mandarin')).toEqual({ text: '', words: [] });
});

test('a pause counts also where words last until the next one', () => {
  const words = wordsOf('我今日去咗銀行跟住返屋企');
  words[6] = { ...words[6]!, endMs: words[6]!.startMs + 1_000 };
  const touching = words.map((word, index) =>
    index > 6 ? { ...word, startMs: word.startMs + 820, endMs: word.endMs + 820 } : word,
  );
  expect(punctuate(touching, 'cantonese')).toBe('我今日去咗銀行，跟住返屋企。');
});

test('Simplified words become Hong Kong Traditional and keep their times', () => {
  const words = wordsOf('佢系度等紧我|你食左饭未呀');
  const finished = finishText(words, 'cantonese');
  expect(finished.text).toBe('佢喺度等緊我，你食咗飯未呀？');
  expect(finished.words.map(({ text }) => text).join('')).toBe('佢喺度等緊我你食咗飯未呀');
  expect(finished.words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual(
    words.map(({ startMs, endMs }) => [startMs, endMs]),
  );
});

test('punctuation can be disabled, and existing punctuation is kept', () => {
  expect(finishText(wordsOf('我系香港人'), 'cantonese', { punctuation: false }).text).toBe('我係香港人');
  const finished = finishText(spoken('你', '好', '，', '我', '系', '人', '。'), 'cantonese');
  expect(finished.text).toBe('你好，我係人。');
  expect(finished.words.map(({ text }) => text)).toEqual(['你', '好', '我', '係', '人']);
  expect(finishText(spoken('你', '好', ',', '我', '係', '人', '.'), 'cantonese').text).toBe('你好，我係人。');
  expect(finishText(spoken('Hello,', 'I', 'am', 'here.', 'And', 'you?'), 'english').text).toBe(
    'Hello, I am here. And you?',
  );
});

test('English in capitals becomes lower case; a single acronym is kept', () => {
  const finished = finishText(spoken('THE', 'CAT', 'SAT', 'AND', 'I', 'LEFT'), 'english');
  expect(finished.text).toBe('The cat sat and I left.');
  expect(finished.words.map(({ text }) => text)).toEqual(['the', 'cat', 'sat', 'and', 'i', 'left']);
  expect(finishText(spoken('NASA'), 'english').text).toBe('NASA.');
});

test('Mandarin is always Simplified', () => {
  expect(finishText(wordsOf('頭髮乾淨嗎'), 'mandarin').text).toBe('头发干净吗？');
  expect(toScriptOf('這個後面', 'mandarin')).toBe('这个后面');
  expect(toScriptOf('我系香港人。', 'cantonese')).toBe('我係香港人。');
});

test('spaces occur only between Latin words', () => {
  expect(joinWords(['我', 'send', '咗', 'email', 'again', '俾', '你'])).toBe('我send咗email again俾你');
  expect(joinWords(['do', "n't", 'it', "'s", '50', '%'])).toBe("don't it's 50%");
  expect(joinWords(['2', '0', '2', '6', '年'])).toBe('2026年');
});

test('a phrase with one time is divided into characters with times', () => {
  const phrase: Word = { text: '香港 ok，人', reading: null, startMs: 100, endMs: 500, confidence: 0.5 };
  expect(splitIntoUnits(phrase)).toEqual([
    { text: '香', reading: null, startMs: 100, endMs: 200, confidence: 0.5 },
    { text: '港', reading: null, startMs: 200, endMs: 300, confidence: 0.5 },
    { text: 'ok', reading: null, startMs: 300, endMs: 400, confidence: 0.5 },
    { text: '人', reading: null, startMs: 400, endMs: 500, confidence: 0.5 },
  ]);
  expect(splitIntoUnits({ ...phrase, text: '……' })).toEqual([]);
  expect(splitIntoUnits({ ...phrase, text: " don't," }).map(({ text }) => text)).toEqual(["don't"]);
});

test('hostile text neither throws nor takes long', () => {
  const startedMs = cpuTimeMs();
  for (const text of [
    '\uD800',
    '\u0000',
    '👩‍👩‍👧',
    '唔'.repeat(20_000),
    'a'.repeat(20_000),
    '好唔'.repeat(5_000),
    "i'".repeat(5_000),
  ]) {
    for (const language of ['cantonese', 'mandarin', 'english'] as const) finishText(wordsOf(text), language);
  }
  expect(cpuTimeMs() - startedMs).toBeLessThan(10_000);
});
