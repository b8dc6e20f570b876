import { expect, test } from 'vitest';
import { toChineseMarks } from './chinese-marks.ts';

const CASES: readonly [string, string][] = [
  ['噉一出,萬神通', '噉一出，萬神通'],
  ['呢個幾多錢?', '呢個幾多錢？'],
  ['好啊! 我哋走.', '好啊！我哋走。'],
  ['我send咗email.', '我send咗email。'],
  ['OK,我哋去啦', 'OK，我哋去啦'],
  ['佢話:「唔好.」', '佢話：「唔好。」'],
  ['時間:10:30至11:00,地點:中環', '時間：10:30至11:00，地點：中環'],
  ['升咗3.5%;跌咗1,000點', '升咗3.5%；跌咗1,000點'],
  ['佢話Hello, world就走', '佢話Hello, world就走'],
  ['Dr. 陳話', 'Dr. 陳話'],
  ['我諗...係囉', '我諗...係囉'],
  ['乜話?! 真係?', '乜話？！真係？'],
  ['Where are you, Peter?', 'Where are you, Peter?'],
  ['去 www.gov.hk 睇', '去 www.gov.hk 睇'],
  ['已經，寫好。', '已經，寫好。'],
];

test('marks of Chinese become full-width; those of Latin words and numbers stay', () => {
  expect(CASES.map(([text]) => toChineseMarks(text))).toEqual(CASES.map(([, expected]) => expected));
});
