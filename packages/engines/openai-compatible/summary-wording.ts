import type { SummaryFault, SummaryLanguage } from '@jyutsing/contracts/summarizer';

/** The name of a language for a model, and the length of texts in it. */
type SummaryWording = {
  name: string;
  /** The rule for the style, in the language itself: models follow the language that they read. */
  rule: string;
  /** The unit of lengths, and how many correspond to one English word. */
  unit: 'words' | 'characters';
  unitsPerWord: number;
  /** Estimated tokens (summary-tokens.ts) per English word. */
  tokensPerWord: number;
  /** The instruction for each defect of a draft. */
  repairs: Readonly<Record<SummaryFault, string>>;
};

const FOREIGN = 'The draft is not, or not all of it, in this language: say the same in it.';
const STYLE = 'The draft is not worded as this language is: say the same as its speakers write it.';

export const SUMMARY_WORDINGS: Readonly<Record<SummaryLanguage, SummaryWording>> = {
  cantonese: {
    name: 'Cantonese as it is written in Hong Kong, in Traditional Chinese characters',
    rule: '摘要要用香港粵語口語同繁體字寫，用「係、嘅、唔、喺、咗、佢哋、呢個、嗰啲、點樣、因為、所以」呢啲字眼，唔好用書面語或者普通話嘅「是、的、不、在、了、他們、這個、那些、怎樣」，亦唔好用簡體字。句式好似「呢條片講嘅係……，佢話……，所以……」。',
    unit: 'characters',
    unitsPerWord: 1.6,
    tokensPerWord: 3.4,
    repairs: {
      language: FOREIGN,
      script: 'The draft has Simplified characters: write all of it in the Traditional characters of Hong Kong.',
      wording:
        'The draft has the words of Mandarin or of formal writing (的、是、不、在、了、他們、這、那): say the same with the words of spoken Cantonese (嘅、係、唔、喺、咗、佢哋、呢、嗰).',
    },
  },
  mandarin: {
    name: 'Mandarin Chinese, in Simplified Chinese characters',
    rule: '摘要要用规范的现代汉语书面语和简体字写，不要用繁体字，也不要用粤语词（系、嘅、唔、喺、咗、佢哋）。',
    unit: 'characters',
    unitsPerWord: 1.6,
    tokensPerWord: 3.4,
    repairs: {
      language: FOREIGN,
      script: 'The draft has Traditional characters: write all of it in Simplified characters.',
      wording: 'The draft has words of Cantonese: say the same in standard written Chinese.',
    },
  },
  english: {
    name: 'English',
    rule: 'Write the summary in clear, natural English, whatever the language of the transcript; give names in Latin letters.',
    unit: 'words',
    unitsPerWord: 1,
    tokensPerWord: 2,
    repairs: {
      language: FOREIGN,
      script: 'The draft has letters of another script: write Latin letters only.',
      wording: STYLE,
    },
  },
  japanese: {
    name: 'Japanese',
    rule: '要約は自然な日本語で、「です・ます」ではなく「だ・である」調の文で書いてください。中国語や英語のまま残さず、固有名詞は日本語の表記にしてください。',
    unit: 'characters',
    unitsPerWord: 2.2,
    tokensPerWord: 3.6,
    repairs: {
      language: FOREIGN,
      script: 'The draft is not in the script of Japanese: write kanji as in Japan, with hiragana and katakana.',
      wording: STYLE,
    },
  },
  korean: {
    name: 'Korean',
    rule: '요약은 자연스러운 한국어로, 한글로 쓰세요. 중국어나 영어 문장을 그대로 남기지 말고, 고유명사는 한글로 적으세요.',
    unit: 'words',
    unitsPerWord: 0.75,
    tokensPerWord: 5,
    repairs: {
      language: FOREIGN,
      script: 'The draft is not in Hangul: write Korean in Hangul, without Chinese characters.',
      wording: STYLE,
    },
  },
};
