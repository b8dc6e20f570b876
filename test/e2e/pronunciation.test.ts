import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editDistance } from '../../eval/score.ts';
import { FIXTURE_FORMATS, wavBytes, writeSound, type Sound } from '#testbed/sound/audio.ts';
import {
  studioWav,
  telephoneSound,
  repeatSound,
  synthesizeSteadily,
  synthesize,
  SCORE_PATHS,
  scorePronunciation,
  scoreRequest,
  type ScoreBody,
} from '#testbed/clients/pronunciation-scoring.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { durationOf } from '#testbed/sound/espeak-speech.ts';

/** Spoken text, another text of similar length, and the minimum score of the spoken one. */
const SPOKEN = {
  cantonese: { spoken: '今日天氣好好，我哋去公園行下。', other: '佢琴晚買咗三本新書返屋企睇。', least: 90 },
  mandarin: { spoken: '今天天气很好，我们去公园走走。', other: '他昨天晚上买了三本新书回家。', least: 85 },
  english: {
    spoken: 'The weather is lovely today, we are going to the park.',
    other: 'Seven brown horses slept behind his wooden church.',
    least: 85,
  },
} as const;
type Language = keyof typeof SPOKEN;
const LANGUAGES = Object.keys(SPOKEN) as Language[];
/** Voices besides the default: a man, a child, an old woman. */
const VOICES = ['marcus', 'lok-lok', 'granny-chan'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: ServiceHere;
const sounds = {} as Record<Language, Sound>;

beforeAll(async () => {
  folder = await temporaryFolder();
  // The clearest of the built-in voices: these tests are about scores.
  service = await startServiceHere(join(folder.path, 'data'), { TTS_ENGINE: 'espeak-jyutping' });
  for (const language of ['mandarin', 'english'] as const)
    sounds[language] = await synthesize(service, { text: SPOKEN[language].spoken, language });
  // The telephone band would bring some of its random intonations close to the pass mark.
  sounds.cantonese = await synthesizeSteadily(service, SPOKEN.cantonese.spoken);
});
afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

const score = (sound: Sound, text: string, language: Language) =>
  scorePronunciation(service, wavBytes(sound), text, language);
const sayMandarin = (text: string) => synthesize(service, { text, language: 'mandarin', voice_id: 'marcus' });
/** Scores synthesized jyutping against a text. */
const scoreOfSaid = async (jyutping: string, text: string) =>
  score(await synthesize(service, { jyutping }), text, 'cantonese');
/** Units of comparison: syllables of jyutping, characters, words. */
const unitsOf = (text: string, language: Language) =>
  language === 'mandarin'
    ? Array.from(text.replaceAll(/[\s\p{P}]/gu, ''))
    : (text.toLowerCase().match(/[\p{L}\d']+/gu) ?? []);
const recognizedIn = (body: ScoreBody, language: Language) =>
  unitsOf(language === 'cantonese' ? body.transcribedJyutping : body.transcribedText, language);

const expectedOf = (body: ScoreBody, text: string, language: Language) =>
  unitsOf(language === 'cantonese' ? body.expectedJyutping : text, language);

it.each(['ngo5 gam1 jat6', '佢好lek1', '你好 nei5 hou2'])('%s passes as the service says it', async (text) => {
  const body = await score(await synthesize(service, { text }), text, 'cantonese');
  expect(body).toMatchObject({ passed: true, transcribedJyutping: body.expectedJyutping });
});

it.each([
  ['mandarin', '8:15上课', '八点一刻上课', true],
  ['mandarin', '一共200人', '一共二百人', true],
  ['mandarin', '坐101路', '坐一零一路', true],
  ['mandarin', '8:15上课', '八点三刻上课', false],
  ['english', 'There are 105 people.', 'There are a hundred and five people.', true],
  ['english', 'The film starts at 8:30.', 'The film starts at half past eight.', true],
  ['english', 'The film starts at 8:30.', 'The film starts at half past nine.', false],
] as const)('%s: %s said as "%s" passes: %s', async (language, text, spokenText, passes) => {
  const body = await score(await synthesize(service, { text: spokenText, language }), text, language);
  expect([body.score, body.passed]).toEqual([expect.any(Number), passes]);
});

describe.each(LANGUAGES)('pronunciation score of %s', (language) => {
  const { spoken, other, least } = SPOKEN[language];

  it('the spoken text passes', async () => {
    const body = await score(sounds[language], spoken, language);
    expect(body).toMatchObject({ success: true, language, passed: true });
    expect(body.score).toBeGreaterThanOrEqual(least);
    const expected = expectedOf(body, spoken, language);
    expect(editDistance(recognizedIn(body, language), expected) / expected.length).toBeLessThanOrEqual(0.2);
  });

  it('another text fails, and the recognized text is close to the spoken one', async () => {
    const right = await score(sounds[language], spoken, language);
    const wrong = await score(sounds[language], other, language);
    expect([wrong.score < 40, wrong.passed]).toEqual([true, false]);
    const [recognized, reference, expected] = [
      recognizedIn(wrong, language),
      expectedOf(right, spoken, language),
      expectedOf(wrong, other, language),
    ];
    expect(editDistance(recognized, reference) / reference.length).toBeLessThanOrEqual(0.6);
    expect(editDistance(recognized, expected) / expected.length).toBeGreaterThanOrEqual(0.8);
  });

  it('judged units are in order, inside the recording and cover the text', async () => {
    const body = await score(sounds[language], spoken, language);
    const units = language === 'english' ? body.words : body.syllables;
    const length = durationOf(sounds[language]) / 1_000;
    expect(units.map(({ text }) => text).join(' ')).toBe(
      (language === 'english'
        ? spoken.match(/[\w']+/g)!
        : Array.from(spoken).filter((char) => /\p{L}/u.test(char))
      ).join(' '),
    );
    let last = 0;
    for (const { start, end } of units) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThan(start!);
      expect(end).toBeLessThanOrEqual(length + 0.06);
      last = start!;
    }
  });
});

it("Mandarin's neutral tones after a third tone pass, and full ones in their place do not", async () => {
  for (const text of ['走吧', '姐姐', '早上', '你们', '椅子']) {
    const { score: points, syllables } = await score(await sayMandarin(text), text, 'mandarin');
    expect([text, syllables[1]!.tone.verdict, points >= 80]).toEqual([text, 'right', true]);
  }
  for (const other of ['走坝', '走八']) {
    const { passed, syllables } = await score(await sayMandarin(other), '走吧', 'mandarin');
    expect([other, syllables[1]!.tone.verdict, passed]).toEqual([other, 'wrong', false]);
  }
});

it('one wrong word fails a Mandarin sentence of six syllables', async () => {
  const sound = await sayMandarin('他现在在骂我');
  expect((await score(sound, '他现在在骂我', 'mandarin')).score).toBeGreaterThanOrEqual(85);
  for (const other of ['他现在在打我', '他现在在买我', '他昨天在骂我']) {
    expect([other, (await score(sound, other, 'mandarin')).passed]).toEqual([other, false]);
  }
});

it('pinyin in citation tones is right for speech with sandhi, and what was recognized is pinyin', async () => {
  const sound = await sayMandarin('你好，我想买水果，谢谢。');
  for (const text of ['nǐ hǎo, wǒ xiǎng mǎi shuǐguǒ, xièxie', 'ni3 hao3, wo3 xiang3 mai3 shui3 guo3, xie4 xie4']) {
    const { syllables, passed, transcribedText } = await score(sound, text, 'mandarin');
    expect(syllables.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    expect([text, passed]).toEqual([text, true]);
    expect(transcribedText).toMatch(/^ni[23] hao3 wo[23] xiang[23] mai[23] shui[23] guo3 xie4 xie[45]$/);
  }
  const { syllables } = await score(sound, 'nì hǎo, wǒ xiǎng mǎi shuǐguǒ, xiéxie', 'mandarin');
  const wrong = syllables.filter(({ tone }) => tone.verdict === 'wrong');
  expect(wrong.map(({ expected }) => expected)).toEqual(['ni4', 'xie2']);
});

it('a lone level tone is told from others once the speaker was heard', async () => {
  const speaker = 'a learner';
  const lone = wavBytes(await synthesize(service, { jyutping: 'si6', temperature: 0 }));
  const scoreAs = (text: string, fields?: Record<string, string>) =>
    scorePronunciation(service, lone, text, 'cantonese', fields);
  const before = await scoreAs('si1');
  for (const sentence of [SPOKEN.cantonese.spoken, '我琴晚同朋友去咗旺角食嘢。']) {
    const sound = wavBytes(await synthesizeSteadily(service, sentence));
    await scorePronunciation(service, sound, sentence, 'cantonese', { speaker });
  }
  const after = await scoreAs('si1', { speaker });
  expect(after.passed).toBe(false);
  expect(after.score).toBeLessThan(before.score - 30);
  expect((await scoreAs('si6', { speaker })).passed).toBe(true);
  expect((await scoreAs('si1', { speaker: 'somebody else' })).score).toBe(before.score);
});

it('a Cantonese score has the documented fields and a diagnosis per syllable', async () => {
  const body = await score(sounds.cantonese, SPOKEN.cantonese.spoken, 'cantonese');
  const fields = `success score passed reason insertions omissions language strictness expectedJyutping
    transcribedJyutping syllables`.split(/\s+/);
  expect(Object.keys(body)).toEqual(fields);
  expect(body.expectedJyutping).toMatch(/^(?:[a-z]+[1-6] ){12}[a-z]+[1-6]$/);
  for (const syllable of body.syllables) {
    const { onset, rime, tone, expected } = syllable;
    expect(onset.expected + rime.expected + tone.expected).toBe(expected);
    for (const number of [syllable.score, onset.score, rime.score, tone.score]) {
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThanOrEqual(100);
      expect(number).toBe(Math.round(number * 10) / 10);
    }
  }
  expect(body.syllables.filter(({ tone }) => tone.contour.length >= 3).length).toBeGreaterThan(8);
});

it.each(['mandarin', 'english'] as const)('a %s score has the documented fields', async (language) => {
  const { spoken } = SPOKEN[language];
  const body = await score(sounds[language], ` ${spoken}\n`, language);
  const fields = `success score passed reason insertions omissions language expectedText transcribedText wordScores accuracyScore fluencyScore
    integrityScore pronunciationScore ${language === 'english' ? 'words' : 'syllables'}`;
  expect(Object.keys(body).toSorted()).toEqual(fields.split(/\s+/).toSorted());
  expect(body.expectedText).toBe(spoken);
  expect(body.pronunciationScore).toBe(body.score);
  expect(body.integrityScore).toBeGreaterThanOrEqual(95);
  expect(body.wordScores.map(({ word }) => word).join(' ')).toBe(
    (language === 'english' ? body.words : body.syllables).map(({ text }) => text).join(' '),
  );
});

describe('one mistake in a short word', () => {
  it.each([
    // Text, right and wrong pronunciation, the wrong part, and the index of its syllable.
    ['買', 'maai5', 'maai6', 'tone', 0],
    ['詩', 'si1', 'si2', 'tone', 0],
    ['四', 'sei3', 'sei2', 'tone', 0],
    ['飛機', 'fei1 gei1', 'fei1 gei3', 'tone', 1],
    ['學生', 'hok6 saang1', 'hok6 saang4', 'tone', 1],
    ['香港', 'hoeng1 gong2', 'hoeng1 gong4', 'tone', 1],
    ['飛機', 'fei1 gei1', 'fei1 sei1', 'onset', 1],
    ['多謝', 'do1 ze6', 'so1 ze6', 'onset', 0],
    ['香港', 'hoeng1 gong2', 'hoeng1 hong2', 'onset', 1],
    ['飛機', 'fei1 gei1', 'faa1 gei1', 'rime', 0],
    ['食飯', 'sik6 faan6', 'sik6 fan6', 'rime', 1],
    ['香港', 'hoeng1 gong2', 'haang1 gong2', 'rime', 0],
  ] as const)('%s spoken as %s passes; spoken as %s the %s is wrong', async (text, right, wrong, part, at) => {
    const good = await scoreOfSaid(right, text);
    expect([text, good.passed, good.score]).toEqual([text, true, expect.any(Number)]);
    const bad = await scoreOfSaid(wrong, text);
    expect([text, bad.passed, bad.score]).toEqual([text, false, expect.any(Number)]);
    const syllable = bad.syllables[at]!;
    expect([syllable[part].verdict, syllable.verdict]).toEqual(['wrong', 'wrong']);
    expect(String(syllable[part].heard)).not.toBe(String(syllable[part].expected));
    const scores = [syllable.onset.score, syllable.rime.score, syllable.tone.score];
    expect(syllable[part].score).toBe(Math.min(...scores));
  });

  // Random intonation changes the scores: these mistakes lie at least five standard deviations from
  // the mark.
  it.each([
    ['你好', 'lei5 hou2', 'nei1 hou2', 'onset', 0],
    ['牛奶', 'au4 naai5', 'ngau4 naai3', 'onset', 0],
    ['中國', 'zung1 gok3', 'zung4 gwok3', 'onset', 1],
  ] as const)(
    '%s spoken as the common variant %s costs less than the wrong tone of %s',
    async (text, usual, wrong, part, at) => {
      const variant = await scoreOfSaid(usual, text);
      expect([variant.syllables[at]![part].verdict, variant.passed]).toEqual(['variant', true]);
      const mistaken = await scoreOfSaid(wrong, text);
      expect(mistaken.passed).toBe(false);
      expect(mistaken.score).toBeLessThan(variant.score);
    },
  );
});

describe('omitted and repeated speech', () => {
  it.each(LANGUAGES)('half of a sentence gets half of the completeness: %s', async (language) => {
    const { spoken, other } = SPOKEN[language];
    const body = await score(sounds[language], `${spoken} ${other}`, language);
    const units = language === 'english' ? body.words : body.syllables;
    const half = unitsOf(spoken, language === 'english' ? 'english' : 'mandarin').length;
    const there = units.slice(0, half).filter(({ verdict }) => verdict !== 'omitted');
    const gone = units.slice(half).filter(({ verdict }) => verdict === 'omitted');
    expect(there.length / half).toBeGreaterThan(0.8);
    expect(gone.length / (units.length - half)).toBeGreaterThan(0.5);
    for (const unit of gone) expect(unit).toMatchObject({ start: null, end: null, score: 0 });
    expect(body.score).toBeLessThan(70);
  });

  it('a sentence spoken twice scores lower than once', async () => {
    const { spoken } = SPOKEN.cantonese;
    const twice = repeatSound(sounds.cantonese, 2 * durationOf(sounds.cantonese));
    const body = await score(twice, spoken, 'cantonese');
    expect(body.score).toBeLessThan((await score(sounds.cantonese, spoken, 'cantonese')).score - 10);
    expect(body.transcribedJyutping.split(' ').length).toBeGreaterThan(20);
  });
});

it.each(VOICES)('the voice %s passes in every language', async (voice_id) => {
  const scores = await Promise.all(
    LANGUAGES.map(async (language) => {
      const { spoken, least } = SPOKEN[language];
      const body = await score(await synthesize(service, { text: spoken, language, voice_id }), spoken, language);
      // The old woman's English scores 86.4 ± 0.4.
      return [language, body.passed, body.score >= least - 5, body.score];
    }),
  );
  expect(scores).toEqual(LANGUAGES.map((language) => [language, true, true, expect.any(Number)]));
});

describe('a recording to score', () => {
  const { spoken } = SPOKEN.cantonese;

  it('scores similarly in every format', async () => {
    for (const format of FIXTURE_FORMATS) {
      const path = join(folder.path, format);
      await writeSound(path, sounds.cantonese, format);
      const body = await scorePronunciation(service, await readFile(path), spoken, 'cantonese');
      expect([format, body.passed]).toEqual([format, true]);
    }
  });

  it('passes by telephone, in stereo and in studio quality', async () => {
    const [samples] = sounds.cantonese.channels;
    const stereo = { ...sounds.cantonese, channels: [samples!, samples!.map((sample) => sample * 0.5)] };
    const quiet = { ...sounds.cantonese, channels: [samples!.map((sample) => sample * 0.05)] };
    const recordings: [string, Uint8Array][] = [
      ['8 kHz', wavBytes(telephoneSound(sounds.cantonese))],
      ['stereo', wavBytes(stereo)],
      ['96 kHz', studioWav(sounds.cantonese)],
      ['far away', wavBytes(quiet)],
    ];
    for (const [name, audio] of recordings) {
      const body = await scorePronunciation(service, audio, spoken, 'cantonese');
      expect([name, body.passed, body.score]).toEqual([name, true, expect.any(Number)]);
    }
  });

  it('of a minute is scored faster than real time', async () => {
    const minute = repeatSound(sounds.cantonese, 60_000);
    const startedMs = performance.now();
    const body = await score(minute, spoken.repeat(Math.floor(60_000 / durationOf(sounds.cantonese))), 'cantonese');
    expect(performance.now() - startedMs).toBeLessThan(20_000);
    expect(body.passed).toBe(true);
  });
});

it('texts are read as spoken: digits, Simplified characters, punctuation', async () => {
  const sound = await synthesize(service, { text: '我有三本書。' });
  const bodies = [];
  for (const text of ['我有三本書。', '我有3本書！', '我有 3 本书', '「我…有三本書」🙂']) {
    bodies.push(await score(sound, text, 'cantonese'));
  }
  expect(bodies.map(({ expectedJyutping }) => expectedJyutping)).toEqual(
    Array.from({ length: 4 }, () => 'ngo5 jau5 saam1 bun2 syu1'),
  );
  expect(bodies.map(({ passed }) => passed)).toEqual([true, true, true, true]);
});

const ask = async (path: string, language: Language) => {
  const { spoken } = SPOKEN[language];
  const response = await fetch(
    service.baseUrl + path,
    scoreRequest(wavBytes(sounds[language]), { text: spoken, language }),
  );
  return (await response.json()) as unknown;
};

it('eight simultaneous requests get the same answers as single ones, at both endpoints', async () => {
  const turns = Array.from({ length: 8 }, (_, i) => [SCORE_PATHS[i % 2]!, LANGUAGES[i % 3]!] as const);
  const alone = [];
  for (const [path, language] of turns) alone.push(await ask(path, language));
  expect(await Promise.all(turns.map(([path, language]) => ask(path, language)))).toEqual(alone);
});
