import { expect, test } from 'vitest';
import { leastCpuTimeMs } from '#test/cpu-time.ts';
import { languageOfText } from './language-of-text.ts';

test.each([
  ['今日天氣好好', 'cantonese'],
  ['我今日去咗 Starbucks 飲 coffee', 'cantonese'],
  ['OK', 'english'],
  ['The word 茶 means tea in Cantonese', 'english'],
  ['Meeting 改到聽日下晝三點', 'cantonese'],
  ['我们今天去学校，你来吗？', 'mandarin'],
  ['佢们冇嚟', 'cantonese'],
  ['还有几多钱', 'cantonese'],
  ['听日边个返工', 'cantonese'],
  ['這是一個測試', 'cantonese'],
  ['今天天气很好', 'mandarin'],
  ['谢谢', 'mandarin'],
  ['长城很长', 'mandarin'],
  ['我家的猫咪很可爱', 'mandarin'],
  ['喇叭的声音太大了', 'mandarin'],
  ['唔，好的，我知道了，谢谢', 'mandarin'],
  ['咱們搭計程車去吧', 'mandarin'],
  ['听日见', 'cantonese'],
  ['几多钱', 'cantonese'],
  ['隻貓咪好得意', 'cantonese'],
  ['我系香港人', 'cantonese'],
  ['巴士迟到左', 'cantonese'],
  ['$12.50', 'cantonese'],
  ['', 'cantonese'],
  ['\u{1F600}\u202e', 'cantonese'],
  ['àéîõü straße', 'english'],
])('%j is taken for %s', (text, language) => {
  expect(languageOfText(text)).toBe(language);
});

test('words and their order tell the language of Simplified writing', () => {
  const cantonese =
    '今日热到晕 你觉得点呀 等我一阵 老板话今日收早 闩门呀 放低个袋先 冻到震 我饿到手震 帮我拎住 落雪啦 我识讲广东话 听住歌做功课 买两杯奶茶少甜 架巴士好迫 件裙好靓 食完饭洗碗 仲未到呀 行路返学 今晚打边炉啦 放假去边玩 个头好痛 我只猫咪好得意 只狗好曳';
  const mandarin =
    '请系好安全带 明天去哪里玩 你想吃什么 他女儿很乖 不知道他去哪儿了 部分地区有雨 间接影响 放低姿态 饮食习惯要健康 食品安全问题 话剧演出 领导讲话很长 收到请回复 迟到五分钟 个人信息保护 今日头条新闻 以后再说 一只狗 买一杯咖啡 要两个面包 我要两张票 开个会 放个假 帮我开门 加油呀，中国队！ 天气好冷呀 饮水机坏了 食肉动物 老细胞 仲裁委员会 间歇泉 飞机晚点，旅客往返 他热到不行 架子上有书 件数不对 买支笔写作业 我给你讲个故事 借个火 来两碗面';
  expect(cantonese.split(' ').filter((text) => languageOfText(text) !== 'cantonese')).toEqual([]);
  expect(mandarin.split(' ').filter((text) => languageOfText(text) !== 'mandarin')).toEqual([]);
});

test('takes time in proportion to the length', async () => {
  const text = 'a好 '.repeat(100_000);
  expect(await leastCpuTimeMs(() => expect(languageOfText(text)).toBe('cantonese'), 500)).toBeLessThan(500);
});
