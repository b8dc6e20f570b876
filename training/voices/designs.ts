import type { PhraseEnding } from '@jyutsing/contracts/spoken-text';
import type { VoiceGender } from '@jyutsing/contracts/voice';

/** A phrase: written words with jyutping, which is empty in English, and its ending. */
type DesignedPhrase = { words: readonly [written: string, jyutping: string][]; ending: PhraseEnding };

/** Design of a fictional voice; `design-profile.ts` turns it into a profile. */
export type VoiceDesign = {
  id: string;
  names: { chinese: string; english: string };
  gender: VoiceGender;
  /** The language that it speaks when a request names no voice; absent: Cantonese. */
  language?: 'english';
  description: string;
  pitchMedianHz: number;
  /** Pitch range relative to an average speaker. */
  pitchRangeRatio: number;
  /**
   * Formants relative to the engine's own male voice; shorter vocal tracts have higher ones: women
   * about 1.17, children 1.3.
   */
  formantRatio: number;
  /**
   * Spectral tilt of voiced sound in dB per octave around 1 kHz: negative is darker, positive
   * brighter.
   */
  tiltDbPerOctave: number;
  /** Breath in voiced sound, 0 to 1: share of noise at 8 kHz, a third of it at 1 kHz. */
  breathiness: number;
  syllablesPerSecond: number;
  /**
   * Sentence of the sample. In the engine's own voice these sentences have the same measured
   * formants within 3 %, as medians over few vowels depend on the sentence.
   */
  sample: readonly DesignedPhrase[];
};

/** The designs in the order in which voices are listed. */
export const VOICE_DESIGNS: readonly VoiceDesign[] = [
  {
    id: 'jasmine',
    names: { chinese: '凱晴', english: 'Jasmine' },
    gender: 'female',
    description: 'A young woman, bright and lively.',
    pitchMedianHz: 226,
    pitchRangeRatio: 1.2,
    formantRatio: 1.2,
    tiltDbPerOctave: 1.2,
    breathiness: 0.08,
    syllablesPerSecond: 4.9,
    sample: [
      {
        words: [
          ['你好', 'nei5 hou2'],
          ['呀', 'aa3'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['我', 'ngo5'],
          ['係', 'hai6'],
          ['凱晴', 'hoi2 cing4'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['好', 'hou2'],
          ['高興', 'gou1 hing3'],
          ['識到', 'sik1 dou2'],
          ['你', 'nei5'],
        ],
        ending: 'statement',
      },
      {
        words: [
          ['得閒', 'dak1 haan4'],
          ['嚟', 'lei4'],
          ['玩', 'waan2'],
          ['啦', 'laa1'],
        ],
        ending: 'exclamation',
      },
    ],
  },
  {
    id: 'maria',
    names: { chinese: '美玲', english: 'Maria' },
    gender: 'female',
    description: 'A woman of middle age, warm and calm.',
    pitchMedianHz: 182,
    pitchRangeRatio: 0.9,
    formantRatio: 1.14,
    tiltDbPerOctave: -1.6,
    breathiness: 0.16,
    syllablesPerSecond: 4.1,
    sample: [
      {
        words: [
          ['大家', 'daai6 gaa1'],
          ['早晨', 'zou2 san4'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['外面', 'ngoi6 min6'],
          ['落', 'lok6'],
          ['緊', 'gan2'],
          ['雨', 'jyu5'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['出', 'ceot1'],
          ['門口', 'mun4 hau2'],
          ['記得', 'gei3 dak1'],
          ['帶', 'daai3'],
          ['遮', 'ze1'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['行', 'haang4'],
          ['慢', 'maan6'],
          ['啲', 'di1'],
          ['啦', 'laa1'],
        ],
        ending: 'statement',
      },
    ],
  },
  {
    id: 'kelvin',
    names: { chinese: '家明', english: 'Kelvin' },
    gender: 'male',
    description: 'A young man, light and quick.',
    pitchMedianHz: 138,
    pitchRangeRatio: 1.15,
    formantRatio: 1.03,
    tiltDbPerOctave: 0.8,
    breathiness: 0.05,
    syllablesPerSecond: 5.2,
    sample: [
      { words: [['喂', 'wai2']], ending: 'comma' },
      {
        words: [
          ['我', 'ngo5'],
          ['今晚', 'gam1 maan5'],
          ['六點', 'luk6 dim2'],
          ['放工', 'fong3 gung1'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['不如', 'bat1 jyu4'],
          ['一齊', 'jat1 cai4'],
          ['去', 'heoi3'],
          ['食飯', 'sik6 faan6'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['你', 'nei5'],
          ['得', 'dak1'],
          ['唔', 'm4'],
          ['得閒', 'dak1 haan4'],
          ['呀', 'aa3'],
        ],
        ending: 'question',
      },
    ],
  },
  {
    id: 'marcus',
    names: { chinese: '志豪', english: 'Marcus' },
    gender: 'male',
    description: 'A man with a deep voice, steady as an announcer.',
    pitchMedianHz: 98,
    pitchRangeRatio: 1,
    formantRatio: 0.95,
    tiltDbPerOctave: -0.8,
    breathiness: 0.04,
    syllablesPerSecond: 4.4,
    sample: [
      {
        words: [
          ['各位', 'gok3 wai6'],
          ['聽眾', 'teng3 zung3'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['今日', 'gam1 jat6'],
          ['嘅', 'ge3'],
          ['天氣', 'tin1 hei3'],
          ['大致', 'daai6 zi3'],
          ['晴朗', 'cing4 long5'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['最高', 'zeoi3 gou1'],
          ['氣溫', 'hei3 wan1'],
          ['三十', 'saam1 sap6'],
          ['度', 'dou6'],
        ],
        ending: 'statement',
      },
    ],
  },
  {
    id: 'lok-lok',
    names: { chinese: '樂樂', english: 'Lok Lok' },
    gender: 'neutral',
    description: 'A child of about seven years.',
    pitchMedianHz: 280,
    pitchRangeRatio: 1.25,
    formantRatio: 1.3,
    tiltDbPerOctave: 0.4,
    breathiness: 0.12,
    syllablesPerSecond: 4.5,
    sample: [
      { words: [['媽媽', 'maa4 maa1']], ending: 'exclamation' },
      {
        words: [
          ['我', 'ngo5'],
          ['畫', 'waak6'],
          ['咗', 'zo2'],
          ['一', 'jat1'],
          ['隻', 'zek3'],
          ['好', 'hou2'],
          ['大', 'daai6'],
          ['嘅', 'ge3'],
          ['恐龍', 'hung2 lung4'],
        ],
        ending: 'statement',
      },
      {
        words: [
          ['我', 'ngo5'],
          ['想', 'soeng2'],
          ['食', 'sik6'],
          ['雪糕', 'syut3 gou1'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['聽日', 'ting1 jat6'],
          ['係', 'hai6'],
          ['星期日', 'sing1 kei4 jat6'],
        ],
        ending: 'exclamation',
      },
    ],
  },
  {
    id: 'granny-chan',
    names: { chinese: '陳婆婆', english: 'Granny Chan' },
    gender: 'female',
    description: 'An old woman, soft and slow.',
    pitchMedianHz: 158,
    pitchRangeRatio: 0.8,
    formantRatio: 1.18,
    tiltDbPerOctave: -2.4,
    breathiness: 0.28,
    syllablesPerSecond: 3.3,
    sample: [
      { words: [['後生仔', 'hau6 saang1 zai2']], ending: 'comma' },
      {
        words: [
          ['飲', 'jam2'],
          ['碗', 'wun2'],
          ['熱', 'jit6'],
          ['湯', 'tong1'],
          ['先', 'sin1'],
          ['啦', 'laa1'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['唔使', 'm4 sai2'],
          ['急', 'gap1'],
        ],
        ending: 'statement',
      },
      {
        words: [
          ['你', 'nei5'],
          ['瘦', 'sau3'],
          ['咗', 'zo2'],
          ['喎', 'wo3'],
        ],
        ending: 'comma',
      },
      {
        words: [
          ['聽日', 'ting1 jat6'],
          ['再', 'zoi3'],
          ['嚟', 'lei4'],
        ],
        ending: 'statement',
      },
    ],
  },
  // The voice of models/hibari as it is: these are its register, range and rate.
  {
    id: 'emily',
    names: { chinese: '艾美', english: 'Emily' },
    gender: 'female',
    language: 'english',
    description: 'An American woman, clear and lively; the default voice of English.',
    pitchMedianHz: 197.8,
    pitchRangeRatio: 0.935,
    formantRatio: 1.17,
    tiltDbPerOctave: 0,
    breathiness: 0.08,
    syllablesPerSecond: 4.93,
    sample: [
      { words: wordsOf('Hello'), ending: 'comma' },
      { words: wordsOf("I'm Emily"), ending: 'statement' },
      { words: wordsOf("It's nice to meet you"), ending: 'comma' },
      { words: wordsOf('and I hope we talk again soon'), ending: 'statement' },
    ],
  },
];

function wordsOf(text: string): [written: string, jyutping: string][] {
  return text.split(' ').map((word) => [word, '']);
}
