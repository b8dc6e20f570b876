import { expect, test } from 'vitest';
import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';
import type { Segment } from '@jyutsing/contracts/transcript';
import { pronunciationVariants } from '@jyutsing/text/syllables/jyutping';
import { textToJyutping } from '@jyutsing/text/readings/text-to-jyutping';
import { checkCorrection } from './check-correction.ts';
import { syllablesOf, recognizedSegment, term } from '#test/fusion-segments.ts';

const TERMS: readonly Term[] = [
  term('沙田', 'saa1 tin4'),
  term('九龍塘', 'gau2 lung4 tong4'),
  term('K記', 'gei3'),
  term('铜锣湾', 'tung4 lo4 waan1'),
  term('維多利亞', 'wai4 do1 lei6 aa3'),
];
/** Recognized texts, and the recognized syllables of each Chinese character. */
const SENTENCES = [
  ['我住系沙甜，ok？', 'ngo5|o5 zyu6 hai6|hai2 saa1|caa1 tin4|tim4'],
  ['去 九龍 食犯 30 次', 'heoi3 gau2|gau3 lung4 sik6 faan6 ci3'],
  ['銅羅彎嘅圍多利亞公圓！', 'tung4 lo4 waan1 ge3 wai4 do1 lei6 aa3 gung1 jyun4|jyun2'],
  ['里好呀', 'lei5 hou2 aa3'],
  ['食 K寄', 'sik6 gei3'],
  ['嗯', 'ng6|m6'],
] as const;
const INSERTIONS = [
  ...'沙田飯犯係系喺的是我你好塘龍樓湾湾铜罗記K30，。！ \n`*"{}[]<>',
  '\ud800',
  '󠄀',
  '九龍塘',
  '修正後：',
  'OK',
  '維多利亞',
];

/** Numbers from 0 to 1, the same in every run (Park and Miller, 1988). */
function randomNumbers(seed: number): () => number {
  let state = seed % 2_147_483_647;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/**
 * The text with characters replaced, removed, inserted or reversed; sometimes an unrelated text.
 */
function mutate(text: string, random: () => number): string {
  const pick = () => INSERTIONS[Math.floor(random() * INSERTIONS.length)] ?? '';
  const rate = random() * random();
  let proposed = [...text].map((char) =>
    random() < rate ? [pick(), '', char + pick()][Math.floor(random() * 3)] : char,
  );
  if (random() < 0.1) proposed = proposed.toReversed();
  if (random() < 0.1) proposed = Array.from({ length: Math.floor(random() * 40) }, pick);
  return proposed.join('');
}

const han = (text: string) => text.match(/\p{Script=Han}/gu) ?? [];
const withoutHan = (text: string) => text.replaceAll(/\p{Script=Han}/gu, '');
/** Rule (a) in an independent implementation. */
const isRecognized = (character: string, line: string) =>
  line.split('|').some((recognized) => {
    const accepted = [
      recognized,
      ...pronunciationVariants(recognized).flatMap((variant) => [variant, ...pronunciationVariants(variant)]),
    ];
    return textToJyutping(character)[0]?.readings.some((reading) => accepted.includes(reading));
  });

/** As from an engine that times only segments; 九龍 has an additional syllable. */
function untimed(text: string, line: string): CorrectionSegment {
  const { segment } = recognizedSegment(text, line);
  return { segment: { ...segment, words: [] }, syllables: syllablesOf(line.replace('lung4 ', 'lung4 tong4 '), 1_000) };
}

/** Broken rules of a result. */
function faultsOf(text: string, line: string, terms: readonly Term[], before: Segment, after: Segment): string[] {
  const faults: string[] = [];
  const syllables = line.split(' ');
  if (withoutHan(after.text) !== withoutHan(text)) faults.push('letters, digits, marks or spaces changed');
  const now = han(after.text);
  const hasTerm = terms.some((term) => after.text.includes(han(term.text).join('')));
  if (now.length !== syllables.length && !hasTerm) faults.push('the length changed without a term');
  const ofTerms = terms.map((term) => term.text).join('') + (terms.length > 0 ? '銅鑼灣' : '');
  for (const [index, character] of now.entries()) {
    const isAllowed = character === han(text)[index] || isRecognized(character, syllables[index] ?? '');
    // A term that changed the length shifts the characters after it.
    const isShifted = now.length !== syllables.length && text.includes(character);
    if (!isAllowed && !isShifted && !ofTerms.includes(character)) faults.push(`${character} was not recognized`);
  }
  const written = after.words.map((word) => word.text).join('');
  if (before.words.length > 0 && written !== after.text.replaceAll(/[^\p{L}\p{N}]/gu, ''))
    faults.push('words and text differ');
  const times = after.words.flatMap(({ startMs, endMs }) => [startMs, endMs]);
  if ([before.startMs, ...times, before.endMs].some((time, index, all) => time < (all[index - 1] ?? 0))) {
    faults.push('words are out of order or outside');
  }
  return faults;
}

test('any proposal gives only original characters, recognized syllables or terms, with words in order', () => {
  let accepted = 0;
  let lengthened = 0;
  for (let seed = 1; seed <= 4_000; seed += 1) {
    const random = randomNumbers(seed * 7_919);
    const [text, line] = SENTENCES[seed % SENTENCES.length] ?? SENTENCES[0];
    const input = random() < 0.5 ? recognizedSegment(text, line) : untimed(text, line);
    const proposed = mutate(random() < 0.3 ? text.replace('甜', '田').replace('龍', '龍塘') : text, random);
    const terms = random() < 0.5 ? TERMS : [];
    const { segment, ...counts } = checkCorrection(input, proposed, terms);
    const faults = faultsOf(text, line, terms, input.segment, segment);
    expect({ faults, isUnchanged: segment === input.segment, text, proposed, result: segment.text }).toMatchObject({
      faults: [],
      isUnchanged: counts.accepted === 0,
    });
    accepted += counts.accepted;
    lengthened += han(segment.text).length === line.split(' ').length ? 0 : 1;
  }
  // Without changes the test would check nothing.
  expect(accepted).toBeGreaterThan(100);
  expect(lengthened).toBeGreaterThan(5);
});
