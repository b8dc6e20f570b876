import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTarget } from '#text/pronunciation/read-target.ts';

const MODEL = new URL('../../../../models/eng/acoustic.json', import.meta.url);

async function words(text: string): Promise<{ text: string; pronunciations: string[] }[]> {
  const target = await readTarget(text, 'english');
  if (target.language !== 'english') return [];
  return target.units.map((unit) => ({
    text: unit.text,
    pronunciations: unit.kind === 'word' ? unit.pronunciations.map((phones) => phones.join(' ')) : [],
  }));
}

/** Text and expected words. */
const TEXTS: [string, string][] = [
  ['Hello, world!', 'Hello world'],
  ['I’m fine', "I'm fine"],
  ["It's o'clock", "It's o'clock"],
  ['2024', 'twenty twenty four'],
  ['$12.50', 'twelve dollars fifty'],
  ['3:30pm', 'three thirty P M'],
  ['1/2', 'a half'],
  ['3.14', 'three point one four'],
  ['5th', 'fifth'],
  ['100%', 'one hundred percent'],
  ['Dr. Lee', 'Doctor Lee'],
  ['Mr Smith', 'Mister Smith'],
  ['e.g.', 'for example'],
  ['MTR', 'M T R'],
  ['U.S.', 'U S'],
  ['4K', 'four K'],
  ['e-mail', 'e mail'],
  ['mother-in-law', 'mother in law'],
  ['and/or', 'and or'],
  ['C++', 'C plus plus'],
  ['rock & roll', 'rock and roll'],
  ['user@example.com', 'user at example dot com'],
  ['snake_case', 'snake case'],
  ['<b>hi</b>', 'hi'],
  ['[link](http://x.y)', 'link'],
  ['HELLO', 'HELLO'],
  ['WE CALL IT A DAY', 'WE CALL IT A DAY'],
  ['JOB', 'JOB'],
  ['Go to the MTR', 'Go to the M T R'],
  ['MR SMITH HAS 3 DOGS', 'Mister SMITH HAS three DOGS'],
  ['ｈｅｌｌｏ', 'hello'],
  ['hello 你好', 'hello 你好'],
  ['yes 🙂🙂', 'yes'],
];

test.each(TEXTS)('%s is read %s', async (text, expected) => {
  expect((await words(text)).map((word) => word.text).join(' ')).toBe(expected);
});

/** Word and an accepted pronunciation. */
const ACCEPTED: [string, string][] = [
  ['the', 'DH AX'],
  ['the', 'DH IY'],
  ['a', 'AX'],
  ['a', 'EY'],
  ['and', 'AX N'],
  ['to', 'T AX'],
  ['of', 'AX V'],
  ['for', 'F ER'],
  ['can', 'K AX N'],
  ['read', 'R IY D'],
  ['read', 'R EH D'],
  ['either', 'AY DH ER'],
  ['either', 'IY DH AX'],
  ['tomato', 'T AX M AA T OW'],
  ['schedule', 'SH EH D Y UW L'],
  ['car', 'K AA R'],
  ['car', 'K AA'],
  ['better', 'B EH T ER'],
  ['better', 'B EH T AX'],
  ['near', 'N IH AX'],
  ['bath', 'B AA TH'],
  ["can't", 'K AA N T'],
  ['hot', 'HH AO T'],
  ['watch', 'W AO CH'],
  ['dog', 'D AA G'],
  ['new', 'N Y UW'],
  ['student', 'S T Y UW D AX N T'],
  ['roses', 'R OW Z AX Z'],
  ['which', 'HH W IH CH'],
  ['often', 'AO F T AX N'],
  ['résumé', 'R EH Z AX M EY'],
  ['Z', 'Z EH D'],
  ['boss’s', 'B AO S IH Z'],
  ['selfies', 'S EH L F IY Z'],
  ['vlogger', 'V L AA G ER'],
  ['hotpot', 'HH AA T P AA T'],
  ['livestream', 'L AY V S T R IY M'],
  ['unfriended', 'AX N F R EH N D IH D'],
  ['Kwun', 'K W AH N'],
  ['iPhone', 'AY F OW N'],
  ['tbh', 'T IY B IY EY CH'],
  ['Zhang', 'JH AA NG'],
];

test.each(ACCEPTED)('%s may be pronounced %s', async (text, expected) => {
  const [word] = await words(text);
  expect(word?.pronunciations).toContain(expected);
});

/** Word and a mistake that must not be accepted. */
const REFUSED: [string, string][] = [
  ['singing', 'S IH NG IH N'],
  ['think', 'S IH NG K'],
  ['the', 'D AX'],
  ['bed', 'B AE D'],
  ['ship', 'SH IY P'],
  ['very', 'W EH R IY'],
  ['cat', 'K AA T'],
  ['father', 'F AO DH ER'],
  ['car', 'K AO'],
];

test.each(REFUSED)('%s must not be pronounced %s', async (text, mistake) => {
  const [word] = await words(text);
  expect(word?.pronunciations.length).toBeGreaterThan(0);
  expect(word?.pronunciations).not.toContain(mistake);
});

test('the pronunciation that fits the context comes first', async () => {
  const [, past] = await words('I read it yesterday');
  expect(past?.pronunciations).toEqual(['R EH D', 'R IY D']);
  const [, , noun] = await words('Play a record');
  expect(noun?.pronunciations[0]).toBe('R EH K ER D');
});

test('letters of an abbreviation have their name’s pronunciation, A too', async () => {
  const [u, s, a] = await words('USA');
  expect([u, s, a].map((letter) => letter?.pronunciations[0])).toEqual(['Y UW', 'EH S', 'EY']);
});

test('no word is unreadable, and all phones are the model’s', async () => {
  const { labels } = JSON.parse(readFileSync(MODEL, 'utf8')) as { labels: { onsets: string[] } };
  const text =
    "The blorptastic Nguyen family googled supercalifragilisticexpialidocious gfhjklwq zzz Ångström naïve psst shh x W ain't " +
    "y'all I'd've rock'n'roll Xiaoming Siobhan Tsim Sha Tsui fine aaaaaaaaaaaaa brrr Œuvre ß ə ŋ Ħ 3x4 mp3 pneumonoultramicroscopicsilicovolcanoconiosis";
  const units = await words(text);
  expect(units.length).toBeGreaterThan(30);
  for (const word of units) {
    expect(word).not.toEqual({ ...word, pronunciations: [] });
    expect(word.pronunciations.length).toBeLessThanOrEqual(10);
    for (const phones of word.pronunciations)
      for (const phone of phones.split(' ')) expect(labels.onsets).toContain(phone);
  }
});
