import { describe, expect, test } from 'vitest';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { addPhones } from './add-phones.ts';

/** The phones of the last word in braces: `I will {read} it`. */
function phonesIn(sentence: string): string {
  const words = sentence.split(' ').map((token): SpokenWord & { isAsked: boolean } => {
    const spokenForm = token.replace(/[{}]/g, '');
    return { written: spokenForm, spokenForm, language: 'english', reading: [], isAsked: token.startsWith('{') };
  });
  return addPhones(words)
    .filter((_, index) => words[index]!.isAsked)
    .map(({ reading }) => reading.join(' '))
    .join('; ');
}

/** Word, its phones (CMUdict), and sentences in which a dictionary reads it so. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'R IY1 D': ['I {read} it every day', 'I will {read} it', 'Did you {read} it', "I don't {read} books"],
  'R EH1 D': ['I have {read} it', 'She has already {read} it', 'I {read} it yesterday', 'The book was {read} by all'],
  'L IY1 D': [
    'They {lead} the race',
    'to {lead} a team',
    'in the {lead}',
    'no {lead} in the polls',
    'took the {lead} in the race',
  ],
  'L EH1 D': [
    'a {lead} pipe',
    'molten {lead}',
    '{lead} poisoning',
    'noticed {lead} in the pipes',
    'traces of {lead} in the water',
  ],
  'L AY1 V': ['a {live} concert', 'the show is {live}', '{live} music', 'we go {live}'],
  'L IH1 V': ['I {live} in Sha Tin', 'They {live} here', 'to {live} well'],
  'L AY1 V Z': ['save {lives}', 'our {lives} changed'],
  'L IH1 V Z': ['she {lives} here', 'he {lives} alone'],
  'W IH1 N D': ['the {wind} is strong', 'a cold {wind}', 'rain and {wind} the whole day', 'but {wind} speeds rose'],
  'W AY1 N D': [
    '{wind} up the clock',
    'please help me to {wind} it',
    'so {wind} the rope',
    'then {wind} it up',
    'and {wind} it back',
  ],
  'T IH1 R': ['a {tear} in my eye', 'a {tear} fell', '{tear} gas', 'not a {tear} was shed'],
  'T EH1 R': ['a {tear} in my shirt', '{tear} it up', 'do not {tear} the paper'],
  'K L OW1 S': ['stay {close}', 'very {close} to me', 'it is {close}'],
  'K L OW1 Z': ['please {close} the door', 'they {close} at six'],
  'M IH1 N AH0 T': ['one {minute} please', 'wait a {minute}'],
  'M AY0 N Y UW1 T': ['{minute} details', 'in {minute} amounts'],
  'B OW1': ['a {bow} tie', '{bow} and arrow'],
  'B AW1': ['{bow} to the queen', 'take a {bow}'],
  'D IH0 Z ER1 T S': ['just {deserts}', 'he {deserts} his friends'],
  'D EH1 Z ER0 T S': ['hot {deserts}', 'the {deserts} of Africa'],
  'D OW1 V': ['he {dove} into the water', 'they {dove} in'],
  'D AH1 V': ['a white {dove}', 'the {dove} flew'],
  'P OW1 L IH0 SH': ['she speaks {Polish}', 'a {Polish} town'],
  'P AA1 L IH0 SH': ['nail {polish}', 'to {polish} shoes'],
  'K AH0 N T EH1 N T': ['he is {content}', 'they seem {content}'],
  'K AA1 N T EH0 N T': ['the {content} of the box', 'is {content} creator'],
  'B AE1 S': ['a {bass} fish', 'we caught a {bass}'],
  'B EY1 S': ['a {bass} guitar', 'he plays {bass}'],
  'W UW1 N D': ['the {wound} hurts', 'a deep {wound}'],
  'W AW1 N D': ['he {wound} the clock', 'it {wound} up'],
  'R EH1 F Y UW2 S': ['the {refuse} bin', '{refuse} collection'],
  'R IH0 F Y UW1 Z': ['they {refuse} to go', 'I {refuse}'],
  'R EH1 Z AH0 M EY2': ['send your {resume}', 'an updated {resume}'],
  'R IH0 Z UW1 M': ['to {resume} work', 'we will {resume} soon'],
  'S AW1': ['a {sow} and piglets', 'the old {sow}'],
  'S OW1': ['to {sow} seeds', 'you {sow} what you reap'],
  'R OW1': ['a {row} of trees', 'the front {row}'],
  'R AW1': ['a {row} with the neighbors', 'a {row} erupted'],
  'Y UW1 S T': ['I {used} to swim', 'I am {used} to it'],
  'Y UW1 Z D': ['I {used} a knife', 'it is {used} to cut'],
  'R EH1 K ER0 D': ['a new {record}', 'the {record} was broken'],
  'R IH0 K AO1 R D': ['to {record} a song', 'we will {record} it'],
  'P R EH1 Z AH0 N T': ['the {present} government', 'a new {present}'],
  'P R IH0 Z EH1 N T': ['to {present} a prize', 'they {present} it'],
  'P ER1 M IH0 T': ['a work {permit}', 'the {permit} expired'],
  'P ER0 M IH1 T': ['they {permit} it', 'to {permit} entry'],
  'Y UW1 S': ['the {use} of force', 'no {use}'],
  'Y UW1 Z': ['to {use} it', 'we {use} water'],
  'HH AW1 S': ['a big {house}', 'my {house}'],
  'HH AW1 Z': ['to {house} refugees', 'will {house} them'],
  'R EH1 K ER0 D Z': ['the {records} show', 'old {records}'],
  'R IH0 K AO1 R D Z': ['he {records} songs', 'it always {records} everything'],
  'HH AW1 Z IH0 Z': ['two {houses}', 'old {houses}'],
  'IH0 K S K Y UW1 S IH0 Z': ['no {excuses}', 'bad {excuses}'],
  'EH1 S T AH0 M AH0 T': ['an {estimate} of cost'],
  'EH1 S T AH0 M EY2 T': ['to {estimate} the cost'],
  'S EH1 P ER0 EY2 T': ['to {separate} them'],
  'S EH1 P ER0 AH0 T': ['a {separate} room'],
};

describe.each(Object.entries(SENTENCES))('%s', (phones, sentences) => {
  test.each(sentences)('%s', (sentence) => {
    expect(phonesIn(sentence)).toBe(phones);
  });
});

test('a word with one reading has none of its own', () => {
  for (const word of ['coffee', 'constructor', '__proto__', 'toString', '', 's', 'ss']) {
    expect(phonesIn(`the {${word}} is`)).toBe('');
  }
});

test('a heteronym in a sentence of ten thousand words is read', () => {
  expect(phonesIn(`${'word '.repeat(10_000)}{read}`)).toMatch(/^R (?:IY1|EH1) D$/);
});
