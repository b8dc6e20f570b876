import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CorrectionSegment, Term } from '@jyutsing/contracts/corrector';
import { loadShippedCorpora } from '@jyutsing/text/corpora/load-shipped-corpora';
import { termsOf } from '@jyutsing/text/corpora/terms';
import { cpuTimeMs } from '#test/cpu-time.ts';
import { createTextCorrector } from './correct-text.ts';
import { foreignSegment, recognizedSyllables, ownSegment, term } from '#engines/builtin/testing/correction-segments.ts';

const root = join(import.meta.dirname, '../../../..');
const correctText = createTextCorrector(join(root, 'models/yue/language-model.bin'));
const corpora = termsOf(loadShippedCorpora(join(root, 'corpora')).flatMap(({ entries }) => entries));
const { signal } = new AbortController();

const correct = (segment: CorrectionSegment, terms: readonly Term[] = []): Promise<string> =>
  correctText(terms)(segment, signal);

const LOENG = 'loeng4 hou6 ting4 waa6 m4 lei4';

describe('terms decide between homophones', () => {
  it('a corpus name replaces a similar-sounding word', async () => {
    const segment = ownSegment('良好停話唔嚟', LOENG);
    expect(await correct(segment)).toBe('良好停話唔嚟');
    expect(await correct(segment, [term('梁灝霆', 'loeng4 hou6 ting4')])).toBe('梁灝霆話唔嚟');
  });

  it('of two terms of one sound the one that weighs more is written', async () => {
    const segment = ownSegment('良好停話唔嚟', LOENG);
    const [light, heavy] = [term('梁浩廷', 'loeng4 hou6 ting4', 1), term('梁灝霆', 'loeng4 hou6 ting4', 5)];
    expect(await correct(segment, [light, heavy])).toBe('梁灝霆話唔嚟');
    expect(await correct(segment, [heavy, light])).toBe('梁灝霆話唔嚟');
  });

  it('one tone misheard and a merged n- do not keep a long term away', async () => {
    const name = [term('拿滔科技', 'naa4 tou1 fo1 gei6')];
    expect(await correct(ownSegment('喇到科技請人', 'laa4 tou3 fo1 gei6 ceng2 jan4'), name)).toBe('拿滔科技請人');
  });

  it('a term that contradicts the audio changes nothing, whatever its weight', async () => {
    const segment = ownSegment('今日天氣好好', 'gam1 jat6 tin1 hei3 hou2 hou2');
    expect(await correct(segment, [term('梁灝霆', 'loeng4 hou6 ting4', 10)])).toBe('今日天氣好好');
  });

  it('a single character is never replaced by a term', async () => {
    const segment = ownSegment('佢好高', 'keoi5 hou2 gou1');
    expect(await correct(segment, [term('膏', 'gou1', 10), term('糕', 'gou1', 10)])).toBe('佢好高');
  });
});

describe('terms of another length', () => {
  const terms = [term('卓悠物流', 'coek3 jau4 mat6 lau4')];

  it('a recognized syllable without a character is written', async () => {
    const segment: CorrectionSegment = {
      ...ownSegment('綽又物', 'coek3 jau4 mat6'),
      syllables: recognizedSyllables('coek3 jau4 mat6 lau4'),
    };
    segment.segment.endMs = 800;
    expect(await correct(segment, terms)).toBe('卓悠物流');
  });

  it('a character without a recognized syllable is removed', async () => {
    const segment = ownSegment('綽啊又物流', 'coek3 jau4 mat6 lau4');
    const starts = [0, 190, 200, 400, 600];
    for (const [index, word] of segment.segment.words.entries()) {
      word.startMs = starts[index] ?? 0;
      word.endMs = starts[index + 1] ?? 800;
    }
    expect(await correct(segment, terms)).toBe('卓悠物流');
  });
});

describe('without a bias', () => {
  const sure = [
    ['佢係我同事', 'keoi5 hai6 ngo5 tung4 si6'],
    ['我哋聽日去香港睇醫生', 'ngo5 dei6 ting1 jat6 heoi3 hoeng1 gong2 tai2 ji1 sang1'],
  ] as const;

  it.each(sure)('%s stays, for any recognizer', async (text, jyutping) => {
    expect(await correct(ownSegment(text, jyutping, 0.95))).toBe(text);
    expect(await correct(foreignSegment(text, jyutping))).toBe(text);
  });

  it('names unknown to the language model stay in the text of another recognizer', async () => {
    const text = '祖暉同衡毅打官司';
    expect(await correct(foreignSegment(text, 'zou2 fai1 tung4 hang4 ngai6 daa2 gun1 si1'))).toBe(text);
  });

  it('text that differs widely from the recognized syllables stays', async () => {
    expect(await correct(foreignSegment('今日天氣好好', 'si6 daan6 ngo5 m4 zi1 dou3'), corpora)).toBe('今日天氣好好');
    expect(await correct(foreignSegment('今日天氣好好', ''), corpora)).toBe('今日天氣好好');
  });
});

describe('text that was certainly heard, with all public corpora,', () => {
  it.each([
    ['電話係九八七六五四三二', 'din6 waa2 hai6 gau2 baat3 cat1 luk6 ng5 sei3 saam1 ji6'],
    ['港幣五百元', 'gong2 bai6 ng5 baak3 jyun4'],
    ['成交額一千二百億元', 'sing4 gaau1 ngaak2 jat1 cin1 ji6 baak3 jik1 jyun4'],
    ['九十九蚊九毫', 'gau2 sap6 gau2 man1 gau2 hou4'],
    ['三百六十五里路', 'saam1 baak3 luk6 sap6 ng5 lei5 lou6'],
    ['黑色暴雨警告信號現正生效', 'hak1 sik1 bou6 jyu5 ging2 gou3 seon3 hou6 jin6 zing3 saang1 haau6'],
    ['舊樓翻新', 'gau6 lau4 faan1 san1'],
    ['生炒牛肉', 'saang1 caau2 ngau4 juk6'],
    ['唔該幫我整返個時間表', 'm4 goi1 bong1 ngo5 zing2 faan1 go3 si4 gaan3 biu2'],
  ])('%s stays', async (text, jyutping) => {
    expect(await correct(ownSegment(text, jyutping, 0.9), corpora)).toBe(text);
  });
});

describe('odd evidence', () => {
  it.each([Number.NaN, Infinity, -1, 0])('a probability or a confidence of %s takes no text away', async (value) => {
    const segment = ownSegment('良好停話唔嚟', LOENG, value);
    for (const { alternatives } of segment.syllables)
      for (const alternative of alternatives) alternative.probability = value;
    expect(await correct(segment, [term('拿滔科技', 'naa4 tou1 fo1 gei6')])).toBe('良好停話唔嚟');
  });

  it('invalid readings and times that go backwards are ignored', async () => {
    const segment = foreignSegment('良好停話唔嚟', 'hello __proto__ 123 x9 m4 lei4');
    segment.syllables = segment.syllables.map((syllable, index) => ({ ...syllable, startMs: 900 - index, endMs: -1 }));
    expect(await correct(segment, corpora)).toBe('良好停話唔嚟');
  });
});

describe('text that is not Chinese', () => {
  it('Latin, digits, spaces and punctuation stay where they are', async () => {
    const text = '喂，我用 iPhone 15 打俾梁好停：OK？ ';
    const recognized = 'wai3 ngo5 jung6 aai3 fung1 daa2 bei2 loeng4 hou6 ting4 ou1 kei1';
    expect(await correct(foreignSegment(text, recognized), [term('梁灝霆', 'loeng4 hou6 ting4')])).toBe(
      '喂，我用 iPhone 15 打俾梁灝霆：OK？ ',
    );
  });

  it('a term does not reach over punctuation', async () => {
    const segment = foreignSegment('梁，好停', 'loeng4 hou6 ting4');
    expect(await correct(segment, [term('梁灝霆', 'loeng4 hou6 ting4')])).toBe('梁，好停');
  });

  it.each(['', ' ', 'hello there', '。。。', '𠮩𠹌𠱁', '\u{1F600}'])('%j stays', async (text) => {
    expect(await correct(foreignSegment(text, 'nei5 hou2'), corpora)).toBe(text);
  });
});

describe('hostile terms', () => {
  const hostile: Term[] = [
    { text: '', readings: [[]], weight: 1 },
    { text: '你好', readings: [], weight: 1 },
    { text: '你好', readings: [['nei5']], weight: 1 },
    { text: '你好', readings: [['nope', '__proto__']], weight: 1 },
    { text: '你\n好', readings: [['nei5', 'hou2']], weight: 10 },
    { text: 'nei hou', readings: [['nei5', 'hou2']], weight: 10 },
    { text: '尼豪', readings: [['nei5', 'hou2']], weight: Number.NaN },
    { text: '你'.repeat(10_000), readings: [Array.from({ length: 10_000 }, () => 'nei5')], weight: 10 },
  ];

  it('neither throw nor enter a text that they do not fit', async () => {
    expect(await correct(ownSegment('佢話唔知', 'keoi5 waa6 m4 zi1', 0.9), hostile)).toBe('佢話唔知');
    expect(await correct(ownSegment('你好', 'nei5 hou2', 0.9), hostile)).not.toContain('\n');
  });

  it('of twenty thousand that sound alike the one that weighs most is written, in no time', async () => {
    const alike = Array.from({ length: 20_000 }, (_, number) =>
      term(`良${String.fromCodePoint(0x4e00 + number)}停`, 'loeng4 hou6 ting4', number === 7_777 ? 5 : 1),
    );
    const correctSegment = correctText(alike);
    const startedMs = cpuTimeMs();
    const text = await correctSegment(ownSegment('良好停話唔嚟', LOENG, 0.3), signal);
    expect(cpuTimeMs() - startedMs).toBeLessThan(2_000);
    expect(text).toBe(`良${String.fromCodePoint(0x4e00 + 7_777)}停話唔嚟`);
  });

  it('twenty thousand of one beginning are searched in no time', async () => {
    const syllables = ['jat1', 'ji6', 'saam1', 'sei3', 'ng5', 'luk6', 'cat1', 'baat3', 'gau2', 'sap6'];
    const characters = [...'一二三四五六七八九十'];
    const many = Array.from({ length: 20_000 }, (_, number) => {
      const digits = [...String(number).padStart(5, '0')].map(Number);
      const written = digits.map((digit) => characters[digit]).join('');
      return term(written, digits.map((digit) => syllables[digit]).join(' '));
    });
    const correctSegment = correctText(many);
    const startedMs = cpuTimeMs();
    await correctSegment(ownSegment('一二三四五六七八', 'jat1 ji6 saam1 sei3 ng5 luk6 cat1 baat3'), signal);
    expect(cpuTimeMs() - startedMs).toBeLessThan(2_000);
  });
});

describe('long segments', () => {
  const sentence = ['良好停話唔嚟', LOENG] as const;
  const long = ownSegment(sentence[0].repeat(150), Array.from({ length: 150 }, () => sentence[1]).join(' '));

  it('are corrected to their end', async () => {
    expect(await correct(long, [term('梁灝霆', 'loeng4 hou6 ting4')])).toBe('梁灝霆話唔嚟'.repeat(150));
  });

  it('an abort ends them with its reason', async () => {
    const abort = new AbortController();
    const reason = { because: 'the client left' };
    const work = correctText(corpora)(long, abort.signal).then(
      () => 'it went on to the end',
      (thrown: unknown) => thrown,
    );
    abort.abort(reason);
    expect(await work).toBe(reason);
  });
});
