import { describe, expect, it } from 'vitest';
import { estimateTokens, jsonTokens } from './summary-tokens.ts';

/**
 * Texts with their token counts for GPT-4 (cl100k), GPT-4o (o200k), Llama 3, Llama 2 and Mistral.
 */
const MEASURED: [string, string, number[]][] = [
  [
    'English',
    "So today we're going to talk about how the harbour was built, and why, in nineteen ninety-seven, forty thousand people moved away from the old town. I think it's important, you know, because nobody really remembers what the place looked like before the reclamation started. Then we went to the market and bought some dumplings, noodles and a very strange pineapple bun.",
    [76, 74, 76, 93, 90],
  ],
  [
    'English with numbers and symbols',
    'In 2023, 1,284,901 passengers travelled on 45 lines; 12.5% more than 2022 (1,142,134). Call +852 2345 6789, 09:30-18:00. HTTP/2, GPT-4o, iPhone 15 Pro Max, RTX 4090, USB-C!!! (A) [B] {C} #tag @user',
    [92, 91, 92, 121, 121],
  ],
  [
    'Cantonese',
    '大家好，今日我哋會傾下點解香港嘅茶餐廳咁受歡迎。佢哋話喺六十年代嗰陣，好多人冇錢食西餐，所以先有啲平價嘅嘢食。我琴日去咗旺角嗰間，啲蛋撻真係好好食，唔使等好耐就有位坐，但係而家啲舖租貴咗好多，唔知佢哋頂唔頂得順㗎。',
    [175, 126, 126, 202, 186],
  ],
  [
    'Mandarin',
    '大家好，今天我们来聊一聊为什么人工智能的发展会改变我们的生活。首先，很多公司已经开始使用机器人来代替工人，这样可以降低成本，提高效率。其次，医院里的医生也在用它来看片子。不过，也有人担心隐私的问题。',
    [105, 60, 71, 128, 100],
  ],
  [
    'Mandarin in Traditional characters',
    '大家好，今天我們來聊一聊為什麼人工智慧的發展會改變我們的生活。首先，很多公司已經開始使用機器人來代替工人，這樣可以降低成本，提高效率。其次，醫院裡的醫生也在用它來看片子。',
    [116, 66, 71, 134, 96],
  ],
  [
    'Japanese',
    '皆さん、こんにちは。今日は東京の古い喫茶店についてお話ししたいと思います。この店は一九六十年代に始まって、コーヒーとナポリタンが有名なんですよね。最近は外国からのお客さんも増えてきて、週末は一時間ぐらい待つこともあるそうです。ぜひ行ってみてください。',
    [120, 87, 88, 140, 138],
  ],
  [
    'Korean',
    '안녕하세요, 여러분. 오늘은 서울의 오래된 시장에 대해서 이야기해 보려고 합니다. 이 시장은 육십 년대에 시작되었는데요, 요즘은 외국인 관광객들도 많이 찾아와서 주말에는 정말 붐빕니다. 떡볶이하고 빈대떡이 특히 유명하니까 꼭 드셔 보세요.',
    [138, 78, 79, 206, 162],
  ],
  [
    'French',
    "Aujourd'hui, nous allons parler de l'économie française et des élections législatives. J'ai été très étonné d'apprendre que près de la moitié des électeurs n'étaient pas allés voter à la deuxième journée.",
    [58, 46, 58, 62, 66],
  ],
  [
    'Vietnamese',
    'Xin chào các bạn, hôm nay chúng ta sẽ nói về nền kinh tế Việt Nam trong hai mươi năm qua và những thay đổi lớn',
    [53, 29, 30, 70, 67],
  ],
  [
    'Russian',
    'Сегодня мы поговорим о том, как изменилась экономика нашей страны за последние двадцать лет и почему это важно для каждого.',
    [54, 26, 30, 42, 45],
  ],
  [
    'Arabic',
    'مرحبا بكم جميعا، اليوم سنتحدث عن تاريخ المدينة القديمة وكيف تغيرت خلال السنوات الماضية',
    [59, 20, 29, 76, 75],
  ],
  ['Thai', 'สวัสดีครับทุกคน วันนี้เราจะมาพูดถึงเรื่องเศรษฐกิจของประเทศไทยและการเปลี่ยนแปลงในช่วงยี่สิบปีที่ผ่านมา', [97, 38, 40, 112, 102]],
  ['emoji', '😀🎉🔥👨‍👩‍👧‍👦🇭🇰❤️✨ wow 🤣🤣🤣', [47, 26, 43, 62, 40]],
];

describe('the estimate is not below any measured tokenizer', () => {
  it.each(MEASURED)('%s', (_name, text, counts) => {
    const estimate = estimateTokens(text);
    expect(estimate).toBeGreaterThanOrEqual(Math.max(...counts));
    // A much higher estimate would waste the context window.
    expect(estimate).toBeLessThan(3.5 * Math.max(...counts));
    expect(jsonTokens(text)).toBeGreaterThanOrEqual(estimate - 1);
  });
});

it('the tokens of a concatenation are the sum of its parts', () => {
  const [first, second] = ['點解咁受歡迎？', ' because the shop is old.'];
  expect(Math.abs(jsonTokens(first + second) - jsonTokens(first) - jsonTokens(second))).toBeLessThanOrEqual(1);
  expect([estimateTokens(''), jsonTokens('')]).toEqual([0, 0]);
});

it('escaped characters are counted as their JSON escapes', () => {
  expect(jsonTokens('"\n\\')).toBe(6);
  expect(jsonTokens('<\u0007')).toBe(12);
});
