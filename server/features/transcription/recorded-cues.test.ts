import { expect, test } from 'vitest';
import type { Segment, Word } from '@jyutsing/contracts/transcript';
import type { CueLimits } from '@jyutsing/contracts/transcription';
import { cutCues } from './cues.ts';

/** How a text is spoken: units of a fixed time, a pause before some, a gap after each segment. */
type Timing = {
  isTimed: boolean;
  unitMs: number;
  pauseEvery: number;
  pauseMs: number;
  gapMs: number;
  speakers: readonly (string | null)[];
};

function segmentsOf(texts: readonly string[], timing: Timing): Segment[] {
  const { isTimed, unitMs, pauseEvery, pauseMs, gapMs, speakers } = timing;
  let atMs = 0;
  let count = 0;
  return texts.map((text, index) => {
    const startMs = atMs;
    const words: Word[] = [];
    for (const unit of text.match(/\p{Script=Han}|[\p{Script=Latin}'’\d]+/gu) ?? []) {
      if ((count += 1) % pauseEvery === 0) atMs += pauseMs;
      words.push({ text: unit, reading: null, startMs: atMs, endMs: atMs + unitMs, confidence: 0.5 });
      atMs += unitMs;
    }
    const endMs = atMs;
    atMs += gapMs;
    const speaker = speakers[index % speakers.length] ?? null;
    return { text, startMs, endMs, words: isTimed ? words : [], speaker, confidence: 0.5 };
  });
}

const CANTONESE = [
  '我哋今日去行山，帶咗好多水同埋飯盒，落山之後就去食糖水。聽日如果落雨就留喺屋企睇書，你話好唔好？',
  '香港科技大學圖書館電腦中心運動場停車場巴士站地鐵站',
  '係呀',
  '係',
  '咁就好喇！多謝晒。',
];
const MANDARIN = [
  '我們今天下午三點在會議室開會，請大家準時出席；遲到的人要請客。',
  '「你說什麼？」他問道，「我聽不清楚……」然後就走了',
  '人工智能與機器學習的發展日新月異令人目不暇給',
];
const ENGLISH = [
  "internationalisation doesn't necessarily complicate straightforward programming, does it?",
  'Well, I think so. We met Mr. Smith at 10.30 a.m. (in the lobby) and he said: "fine".',
  'Yes.',
  'No',
  'pneumonoultramicroscopicsilicovolcanoconiosis',
];
const MIXED = [
  '我哋用GPT-4嚟做project，deadline係2046年3月5號',
  'OK啦，send個email俾manager先。',
  '佢話「no problem」，跟住就off咗',
  'カタカナ同한국어都有𠮷野家😀',
];
const STEADY: Timing = { isTimed: true, unitMs: 200, pauseEvery: 1_000, pauseMs: 0, gapMs: 400, speakers: [null] };
const LIMITS = { maxCharacters: 20, maxMs: 7_000 };
/** Each cue as its times, the number of its timed words, and its text; texts in order. */
const RECORDED: [name: string, texts: readonly string[], Timing, CueLimits, cues: string[]][] = [
  [
    'Cantonese, steady',
    CANTONESE,
    STEADY,
    LIMITS,
    [
      '0-3200 16 我哋今日去行山，帶咗好多水同埋飯盒，',
      '3200-5000 9 落山之後就去食糖水。',
      '5000-8600 18 聽日如果落雨就留喺屋企睇書，你話好唔好？',
      '9000-12800 19 香港科技大學圖書館電腦中心運動場停車場',
      '12800-17200 16 巴士站地鐵站 係呀 係 咁就好喇！多謝晒。',
    ],
  ],
  [
    'Cantonese with pauses',
    CANTONESE,
    { ...STEADY, pauseEvery: 7, pauseMs: 450 },
    LIMITS,
    [
      '0-4100 16 我哋今日去行山，帶咗好多水同埋飯盒，',
      '4100-6350 9 落山之後就去食糖水。',
      '6350-11300 18 聽日如果落雨就留喺屋企睇書，你話好唔好？',
      '11700-16400 19 香港科技大學圖書館電腦中心運動場停車場',
      '16850-22150 16 巴士站地鐵站 係呀 係 咁就好喇！多謝晒。',
    ],
  ],
  [
    'Cantonese without times of words',
    CANTONESE,
    { ...STEADY, isTimed: false },
    LIMITS,
    [
      '0-3200 0 我哋今日去行山，帶咗好多水同埋飯盒，',
      '3200-5000 0 落山之後就去食糖水。',
      '5000-8600 0 聽日如果落雨就留喺屋企睇書，你話好唔好？',
      '9000-12800 0 香港科技大學圖書館電腦中心運動場停車場',
      '12800-17200 0 巴士站地鐵站 係呀 係 咁就好喇！多謝晒。',
    ],
  ],
  [
    'Cantonese of two speakers, fast',
    CANTONESE,
    { ...STEADY, unitMs: 90, gapMs: 100, speakers: ['0', '1', '1'] },
    LIMITS,
    [
      '0-1440 16 我哋今日去行山，帶咗好多水同埋飯盒，',
      '1440-2250 9 落山之後就去食糖水。',
      '2250-3870 18 聽日如果落雨就留喺屋企睇書，你話好唔好？',
      '3970-5140 13 香港科技大學圖書館電腦中心',
      '5140-6500 14 運動場停車場巴士站地鐵站 係呀',
      '6600-6790 1 係',
      '6790-7420 7 咁就好喇！多謝晒。',
    ],
  ],
  [
    'Mandarin with quotes',
    MANDARIN,
    { ...STEADY, pauseEvery: 11, pauseMs: 260 },
    LIMITS,
    [
      '0-3060 14 我們今天下午三點在會議室開會，',
      '3060-6120 14 請大家準時出席；遲到的人要請客。',
      '6520-9180 12 「你說什麼？」他問道，「我聽不清楚……」',
      '9180-12640 14 然後就走了 人工智能與機器學習',
      '12900-15760 13 的發展日新月異令人目不暇給',
    ],
  ],
  [
    'Mandarin without times of words, narrow',
    MANDARIN,
    { ...STEADY, isTimed: false, gapMs: 1_600 },
    { maxCharacters: 8, maxMs: 7_000 },
    [
      '0-1600 0 我們今天下午三點',
      '1600-2800 0 在會議室開會，',
      '2800-4200 0 請大家準時出席；',
      '4200-5600 0 遲到的人要請客。',
      '7200-8000 0 「你說什麼？」',
      '8000-8600 0 他問道，',
      '8600-9600 0 「我聽不清楚……」',
      '9600-10600 0 然後就走了',
      '12200-13200 0 人工智能與',
      '13200-14200 0 機器學習的',
      '14200-15400 0 發展日新月異',
      '15400-16600 0 令人目不暇給',
    ],
  ],
  [
    'English with long words',
    ENGLISH,
    STEADY,
    LIMITS,
    [
      "0-600 3 internationalisation doesn't necessarily",
      '600-1200 3 complicate straightforward programming,',
      '1200-2800 6 does it? Well, I think so.',
      '2800-4600 9 We met Mr. Smith at 10.30 a.m.',
      '4600-5800 6 (in the lobby) and he said:',
      '5800-7200 3 "fine". Yes. No',
      '7600-7800 1 pneumonoultramicroscopicsilicovolcanoconiosis',
    ],
  ],
  [
    'English without times of words',
    ENGLISH,
    { ...STEADY, isTimed: false, gapMs: 0 },
    { maxCharacters: 30, maxMs: 4_000 },
    [
      "0-960 0 internationalisation doesn't necessarily complicate",
      '960-2442 0 straightforward programming, does it? Well, I think so.',
      '2442-3986 0 We met Mr. Smith at 10.30 a.m.',
      '3986-5600 0 (in the lobby) and he said: "fine".',
      '5600-6200 0 Yes. No pneumonoultramicroscopicsilicovolcanoconiosis',
    ],
  ],
  [
    'mixed languages',
    MIXED,
    { ...STEADY, unitMs: 310, pauseEvery: 5, pauseMs: 301 },
    LIMITS,
    [
      '0-2781 8 我哋用GPT-4嚟做project，',
      '2781-5863 8 deadline係2046年3月5號',
      '6263-9044 8 OK啦，send個email俾manager先。',
      '9444-12836 9 佢話「no problem」，跟住就off咗',
      '13236-15397 6 カタカナ同한국어都有𠮷野家😀',
    ],
  ],
  [
    'mixed languages without times of words',
    MIXED,
    { ...STEADY, isTimed: false },
    { maxCharacters: 12, maxMs: 2_500 },
    [
      '0-1563 0 我哋用GPT-4嚟做project，',
      '1563-2605 0 deadline係2046',
      '2605-3846 0 年3月5號 OK啦，',
      '3846-5200 0 send個email俾manager先。',
      '5600-6575 0 佢話「no problem」，',
      '6575-8169 0 跟住就off咗 カタカナ',
      '8169-9000 0 同한국어都有𠮷野家😀',
    ],
  ],
  [
    'many short segments',
    Array.from('早晨呀你好嗎我幾好你呢都係咁啦'),
    { ...STEADY, gapMs: 120 },
    LIMITS,
    ['0-2120 7 早 晨 呀 你 好 嗎 我', '2240-4680 8 幾 好 你 呢 都 係 咁 啦'],
  ],
  [
    'short cues within a time limit',
    CANTONESE,
    { ...STEADY, pauseEvery: 3, pauseMs: 250 },
    { maxCharacters: 60, maxMs: 1_500 },
    [
      '0-1250 5 我哋今日去',
      '1500-2950 6 行山，帶咗好多',
      '3200-4450 5 水同埋飯盒，',
      '4450-5500 4 落山之後',
      '5750-7200 6 就去食糖水。聽',
      '7450-8900 6 日如果落雨就',
      '9150-10600 6 留喺屋企睇書，',
      '10850-12100 5 你話好唔好？',
      '12500-13550 4 香港科技',
      '13800-15050 5 大學圖書館',
      '15050-16100 4 電腦中心',
      '16350-17800 6 運動場停車場',
      '18050-19500 6 巴士站地鐵站',
      '19900-21150 3 係呀 係',
      '21550-22850 4 咁就好喇！',
      '22850-23700 3 多謝晒。',
    ],
  ],
];

test.each(RECORDED)('the cues of a transcript stay as they are: %s', async (_, texts, timing, limits, recorded) => {
  const cues = await cutCues(segmentsOf(texts, timing), limits);
  expect(cues.map(({ startMs, endMs, words, text }) => `${startMs}-${endMs} ${words.length} ${text}`)).toEqual(
    recorded,
  );
});
