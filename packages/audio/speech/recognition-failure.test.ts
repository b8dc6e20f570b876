import { expect, it } from 'vitest';
import type { RecognitionFailure } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { recognitionFailure } from './recognition-failure.ts';

type Row = [string, Language, number, number | undefined, RecognitionFailure | null];

const sentence = '而家香港天氣好熱啊聽日';
const ROWS: Row[] = [
  // People say these.
  ['係', 'cantonese', 250, 0.1, null],
  ['係係係係係', 'cantonese', 1_200, 0.1, null],
  ['哈哈哈哈哈哈哈哈', 'cantonese', 1_500, 0.1, null],
  ['一二三四，一二三四，一二三四', 'cantonese', 4_000, 0.1, null],
  ['OK thank you bye bye', 'cantonese', 1_500, 0.1, null],
  ['我鍾意食の那間日本餐廳嘅嘢', 'cantonese', 4_000, 0.1, null],
  ['我係用 ChatGPT 同 Gemini 做 presentation 㗎', 'cantonese', 4_000, 0.1, null],
  ['row row row your boat gently down the stream', 'english', 4_000, 0.1, null],
  ['internationalization and responsibilities', 'english', 2_500, 0.1, null],
  ['naïve café', 'english', 1_000, undefined, null],
  // A breath, a cough, and noise that a detector without probabilities let through.
  ['', 'cantonese', 200, 0.1, null],
  ['', 'cantonese', 2_000, 0.7, null],
  ['', 'mandarin', 800, undefined, null],
  // Nothing where somebody speaks.
  ['', 'cantonese', 400, 0.1, 'empty'],
  ['。', 'cantonese', 3_000, 0.2, 'empty'],
  [' … ♪ ', 'english', 3_000, undefined, 'empty'],
  // Loops of characters, words and sentences, with and without marks.
  ['多謝晒你'.repeat(4), 'cantonese', 6_000, 0.1, 'loop'],
  [`好的，${'我们的我们的'.repeat(4)}`, 'mandarin', 8_000, 0.1, 'loop'],
  ['the cat sat down. '.repeat(4), 'english', 8_000, 0.1, 'loop'],
  ['The Cat sat DOWN, the cat sat down; THE cat sat down - the cat sat down', 'english', 8_000, 0.1, 'loop'],
  ['嗯'.repeat(20), 'mandarin', 9_000, 0.1, 'loop'],
  [sentence.repeat(4), 'cantonese', 18_000, 0.1, 'loop'],
  // More than anybody says.
  ['香港人食飯飲茶睇戲行街買嘢返工放假去旅行', 'cantonese', 800, 0.1, 'too_fast'],
  ['one two three four five six seven eight nine ten eleven twelve thirteen', 'english', 600, 0.1, 'too_fast'],
  ['a'.repeat(120), 'english', 1_500, 0.1, 'too_fast'],
  // Scripts that the language does not use.
  ['안녕하세요 반갑습니다', 'cantonese', 3_000, 0.1, 'wrong_script'],
  ['ありがとうございます', 'mandarin', 3_000, 0.1, 'wrong_script'],
  ['спасибо большое', 'english', 2_000, 0.1, 'wrong_script'],
  ['今日天氣好好', 'english', 2_000, 0.1, 'wrong_script'],
  ['ขอบคุณครับ', 'cantonese', 2_000, 0.1, 'wrong_script'],
  ['นะคะ thank you', 'english', 2_000, 0.1, 'wrong_script'],
  // Text without speech.
  ['多謝收睇', 'cantonese', 2_000, 0.95, 'no_speech'],
];

it('a text that cannot have been said is a failure, and what people say is none', () => {
  const wrong = ROWS.flatMap(([text, language, speechMs, noSpeech, expected]) => {
    const found = recognitionFailure({ text, language, speechMs, noSpeech });
    return found === expected ? [] : [{ text, expected, found }];
  });
  expect(wrong).toEqual([]);
});
