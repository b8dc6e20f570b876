import type { Language } from '@jyutsing/client';

/** Sentences to begin with, from short to long. */
export const SENTENCES: Readonly<Record<Language, readonly [string, ...string[]]>> = {
  cantonese: [
    '早晨，食咗飯未呀？',
    '唔該，我要一杯凍檸茶。',
    '我住喺九龍，返工要搭地鐵。',
    '聽日天氣好，不如一齊去行山。',
  ],
  mandarin: ['你好，很高兴认识你。', '请问，地铁站在哪里？', '我想喝一杯热咖啡。', '今天天气很好，我们去公园走走吧。'],
  english: [
    'Good morning! How are you?',
    'Could I have a cup of tea, please?',
    'My brother lives near the station.',
    'The weather is nice today, so let us go for a walk.',
  ],
};

export type Drill = { contrast: 'tones' | 'onsets' | 'rimes'; words: readonly { text: string; jyutping: string }[] };

const word = (text: string, jyutping: string) => ({ text, jyutping });

/** Words that differ in one part alone. */
export const DRILLS: readonly Drill[] = [
  { contrast: 'tones', words: [word('買', 'maai5'), word('賣', 'maai6')] },
  { contrast: 'tones', words: [word('湯', 'tong1'), word('糖', 'tong4')] },
  { contrast: 'tones', words: [word('水', 'seoi2'), word('睡', 'seoi6')] },
  { contrast: 'tones', words: [word('試', 'si3'), word('事', 'si6')] },
  { contrast: 'tones', words: [word('史', 'si2'), word('市', 'si5')] },
  { contrast: 'onsets', words: [word('男', 'naam4'), word('藍', 'laam4')] },
  { contrast: 'onsets', words: [word('包', 'baau1'), word('拋', 'paau1')] },
  { contrast: 'rimes', words: [word('三', 'saam1'), word('心', 'sam1')] },
  { contrast: 'rimes', words: [word('雞', 'gai1'), word('街', 'gaai1')] },
];
