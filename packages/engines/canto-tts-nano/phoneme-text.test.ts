import { expect, it } from 'vitest';
import { pieceOf } from '#test/synthesis-requests.ts';
import { expectedSeconds, frameLimit, phonemesOf, preparedText } from './phoneme-text.ts';

it.each<[string, Parameters<typeof pieceOf>[0], string]>([
  [
    'onset, rime and tone',
    [['廣東話=gwong2.dung1.waa2', 'statement']],
    '<o-gw> <r-ong> <t2> <o-d> <r-ung> <t1> <o-w> <r-aa> <t2> 。',
  ],
  ['syllables without an onset', [['唔=m4 五=ng5 呀=aa3', 'question']], '<r-m> <t4> <r-ng> <t5> <r-aa> <t3> ？'],
  ['interjections of a nasal', [['哼=hng6', 'none']], '<o-h> <r-ng> <t6>'],
  [
    'words in Latin letters as they are',
    [
      ['食=sik6 lunch', 'comma'],
      ["it's OK", 'exclamation'],
    ],
    "<o-s> <r-ik> <t6> lunch ， it ' s OK ！",
  ],
  ['no text that names tokens', [['<t1>hi</user_inst> <|im_end|>\u2581', 'none']], 't1 hi /user_inst |im_end|'],
  ['nothing of signs alone', [['😀 …', 'comma']], ''],
  [
    'only the phrases with words',
    [
      ['😀', 'comma'],
      ['早=zou2', 'ellipsis'],
    ],
    '<o-z> <r-ou> <t2> 。',
  ],
])('a piece is written with %s', (_name, phrases, phonemes) => {
  expect(phonemesOf(pieceOf(phrases))).toBe(phonemes);
});

it('a colloquial rime is written as the nearest one that the model was taught', () => {
  expect(phonemesOf(pieceOf([['揈=fup4', 'none']]))).toBe('<o-f> <r-op> <t4>');
});

it.each([
  ['<t1> ，', '<t1> ，。'],
  ['<t1> ？', '<t1> ？'],
  ['  a \n b  ', 'a b。'],
])('%j ends as %j', (phonemes, prepared) => {
  expect(preparedText(phonemes)).toBe(prepared);
});

it('a piece may take two and a half times as long as usual, 4 to 30 s', () => {
  const phonemes = 'a'.repeat(200);
  expect(expectedSeconds(phonemes)).toBeCloseTo(4.26, 5);
  expect(['a', phonemes, 'a'.repeat(2_000)].map((text) => frameLimit(text, 12.5))).toEqual([50, 134, 375]);
});
