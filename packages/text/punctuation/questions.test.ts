import { describe, expect, it } from 'vitest';
import { isQuestion } from './questions.ts';

const isAsked = (text: string, language: 'cantonese' | 'mandarin' | 'english') =>
  isQuestion(language === 'english' ? text.split(' ') : [...text], language);

describe('Cantonese', () => {
  it.each([
    '你食咗飯未',
    '你食咗飯未呀',
    '佢係唔係醫生',
    '你識唔識講廣東話',
    '邊位呀',
    '幾位呀',
    '點揀',
    '要定唔要',
    '堂食定外賣',
    '凍定熱',
    '呢個定嗰個好',
    '有咩唔妥',
    '你估我唔知咩',
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
    '你去邊',
    '喺邊呀',
    '請問廁所喺邊',
    '去咗邊呢',
    '你今晚瞓邊',
    '今日幾號',
    '星期幾',
    '你幾歲',
    '有幾個人',
    '有幾高',
    '你住幾樓',
    '要行幾分鐘',
    '搭幾號巴士',
    '你叫咩名',
    '咩意思',
    '有咩好食',
    '有咩唔同',
    '請問有咩幫到你',
    '點賣',
    '點稱呼',
    '點啊',
    '噉你點諗',
    '請問貴姓',
    '邊日得閒',
    '坐邊架車',
    '你點知',
    '點知㗎',
    '你點會知㗎',
    '明唔明',
    '你明唔明白',
    '記唔記得我',
    '清唔清楚',
    '理唔理佢',
    '你知唔知道佢去咗邊',
    '可唔可以話我知',
    '可唔可以教我點樣整',
    '點解你唔知',
    '邊個話畀你知㗎',
    '你唔記得咩',
    '你食咗飯都未',
    '會唔會都係佢',
    '係咪乜都唔使做',
  ])('%s is a question', (text) => {
    expect(isAsked(text, 'cantonese')).toBe(true);
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
    '一定唔得',
    '食定唔食都冇所謂',
    '係就係唔係就唔係',
    '我問佢去邊度',
    '我呢',
    '點心好食',
    '差少少',
    '乜嘢都冇',
    '今日我哋會講下點樣慳錢',
    '教大家點樣整蛋糕',
    '分享點樣儲錢',
    '介紹點樣煮飯',
    '研究點樣做好啲',
    '解釋點樣運作',
    '話你聽佢係邊個',
    '我知佢係邊個',
    '佢問我去邊度',
    '冇人知點解',
    '佢去咗邊我唔知',
    '搵唔到佢喺邊度',
    '考慮去唔去',
    '我決定去唔去',
    '視乎得唔得',
    '睇你肯唔肯啦',
    '重點係點樣做',
    '問題係佢有冇錢',
    '即使有幾多困難',
    '聽下大佬點講',
    '點知佢原來走咗',
    '點知落大雨',
    '信唔信由你',
    '佢嚟唔嚟都冇所謂',
    '你鍾唔鍾意都要做',
    '你去唔去我都去',
    '去唔去都唔知',
    '想食幾多就食幾多',
    '點做都得',
    '幾大都要去',
    '我都未',
    '從來都未',
    '我哋三點去',
    '喺呢個地點集合',
    '我坐佢身邊',
    '嗰邊啲人好高',
    '有咩事就搵我',
    '佢十幾歲',
    '佢大我幾歲',
    '冇幾高',
    '等幾分鐘',
    '唔錯唔錯',
  ])('%s is none', (text) => {
    expect(isAsked(text, 'cantonese')).toBe(false);
  });
});

describe('what stands around a clause', () => {
  it('a question that was announced is told', () => {
    expect(isQuestion([...'點解'], 'cantonese', { before: '等我話你聽' })).toBe(false);
    expect(isQuestion([...'點解'], 'cantonese', { before: '我唔去' })).toBe(true);
  });

  it('either answer leads to what follows', () => {
    expect(isQuestion([...'你去唔去'], 'cantonese', { after: '我都去' })).toBe(false);
    expect(isQuestion([...'你去唔去'], 'cantonese', { after: '我唔去' })).toBe(true);
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
    expect(isAsked(text, 'mandarin')).toBe(true);
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
    expect(isAsked(text, 'mandarin')).toBe(false);
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
    expect(isAsked(text, 'english')).toBe(true);
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
    expect(isAsked(text, 'english')).toBe(false);
  });
});

it('no words ask nothing', () => {
  for (const language of ['cantonese', 'mandarin', 'english'] as const) expect(isQuestion([], language)).toBe(false);
});
