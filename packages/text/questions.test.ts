import { describe, expect, it } from 'vitest';
import { isQuestion } from './questions.ts';

const asked = (text: string, language: 'cantonese' | 'mandarin' | 'english') =>
  isQuestion(language === 'english' ? text.split(' ') : [...text], language);

describe('Cantonese', () => {
  it.each([
    '你食咗飯未',
    '你食咗飯未呀',
    '佢係唔係醫生',
    '你識唔識講廣東話',
    '有冇人喺度',
    '邊個話㗎',
    '你去邊度呀',
    '點解會咁',
    '而家幾點',
    '幾多錢一斤',
    '你做咩',
    '可唔可以平啲',
    '係咪真㗎',
    '你呢',
    '咁你哋呢',
    '你係香港人嗎',
    '我哋去定係唔去',
    '第幾位',
  ])('%s is a question', (text) => {
    expect(asked(text, 'cantonese')).toBe(true);
  });

  it.each([
    '我食咗飯喇',
    '我唔知佢去邊度',
    '我想知點解',
    '無論邊個都得',
    '邊個都知道',
    '我從未去過',
    '佢仲未嚟我還未走',
    '冇咩',
    '冇幾耐',
    '我一定係最後嗰個',
    '我決定係咁',
    '我問佢去邊度',
    '我呢',
    '點心好食',
    '差少少',
    '乜嘢都冇',
  ])('%s is none', (text) => {
    expect(asked(text, 'cantonese')).toBe(false);
  });
});

describe('Mandarin', () => {
  it.each([
    '你吃了吗',
    '这是什么',
    '你为什么不去',
    '你是不是学生',
    '你去不去',
    '多少钱',
    '现在几点',
    '你呢',
    '那他们呢',
    '你有没有时间',
    '谁来了',
    '我们走好吗',
  ])('%s is a question', (text) => {
    expect(asked(text, 'mandarin')).toBe(true);
  });

  it.each([
    '我吃了',
    '我不知道他去哪里',
    '谁都知道',
    '什么都没有',
    '没什么',
    '不管怎么样',
    '告诉我为什么',
    '差不多',
    '我还没有',
    '这么好',
    '无论多少',
  ])('%s is none', (text) => {
    expect(asked(text, 'mandarin')).toBe(false);
  });
});

describe('English', () => {
  it.each([
    'are you ready',
    'what is your name',
    "what's the time",
    'how much is it',
    'so where do you live',
    'well can you help me',
    "it's cold isn't it",
    "don't you know",
    'which one do you want',
    'how about tomorrow',
    'who’s there',
  ])('%s is a question', (text) => {
    expect(asked(text, 'english')).toBe(true);
  });

  it.each([
    'I am ready',
    "I don't know what it is",
    'tell me where you live',
    'what a day',
    'how nice of you',
    'may the force be with you',
    'had I known I would have come',
    'what is more it was late',
    'when I was young it rained',
    'do the work first',
  ])('%s is none', (text) => {
    expect(asked(text, 'english')).toBe(false);
  });
});

it('no words ask nothing', () => {
  for (const language of ['cantonese', 'mandarin', 'english'] as const) expect(isQuestion([], language)).toBe(false);
});
