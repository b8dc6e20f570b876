import { expect, it } from 'vitest';
import { englishNumberWordings } from './number-wordings.ts';

/** As written, as usually said; other usual forms, and after `-` what is none. */
const NUMBERS = `
105 | one hundred and five | one hundred five; a hundred and five; one oh five; -one fifteen; -one hundred and nine
968 | nine hundred and sixty-eight | nine sixty eight; nine six eight
305 | three oh five | three zero five; three hundred and five
1998 | nineteen ninety-eight | nineteen hundred and ninety eight; one thousand nine hundred and ninety eight
2005 | two thousand and five | two thousand five; twenty oh five
2026 | twenty twenty-six | two thousand and twenty six; two thousand twenty six
1905 | nineteen oh five | nineteen hundred and five; nineteen hundred five
1,500 | one thousand five hundred | fifteen hundred; -fifty hundred
9:30 | nine thirty | half past nine; -half past ten
7:45 | seven forty-five | quarter to eight; a quarter to eight; -a quarter to seven
6:15 pm | six fifteen P M | a quarter past six; six fifteen
8:05 | eight oh five | five past eight; -five past nine
5:00 | five | five o'clock
12:45 | twelve forty-five | a quarter to one
14:30 | fourteen thirty | half past two; two thirty; two thirty P M; -two thirty A M
$12.50 | twelve dollars fifty | twelve fifty; twelve dollars and fifty cents
$5.50 | five dollars fifty | five dollars and fifty cents; five dollars fifty cents; -five dollars fifty cents cents
$100 | one hundred dollars | a hundred dollars
£15.99 | fifteen pounds ninety-nine | fifteen ninety nine; fifteen pounds and ninety nine pence
HK$20 | twenty Hong Kong dollars | twenty dollars
0.5 litres | zero point five litres | point five litres; nought point five litres; half a litre
2.5 kg | two point five kilograms | two and a half kilograms; two point five kilos; two and a half kilos
1/2 | a half | half; one half
3/4 | three quarters | three fourths
25 December | the twenty-fifth of December | December the twenty fifth; December twenty fifth; twenty fifth of December
28°C | twenty-eight degrees Celsius | twenty eight degrees
-5 | minus five | negative five
3-5 | three to five | three through five
2255 | double two double five | two two five five
5552 | triple five two | five five five two; double five five two
five | five | -5
`
  .trim()
  .split('\n');

it.each(NUMBERS)('%s', (row) => {
  const [written = '', usual = '', forms = ''] = row.split(' | ');
  const found = englishNumberWordings(written, usual);
  const isAsExpected = (form: string) => found.includes(form.replace(/^-/u, '')) !== form.startsWith('-');
  expect(forms.split('; ').filter((form) => !isAsExpected(form))).toEqual([]);
});
