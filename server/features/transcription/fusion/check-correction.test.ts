import { describe, expect, it, test } from 'vitest';
import type { Term } from '@jyutsing/contracts/corrector';
import { leastCpuTimeMs } from '#test/cpu-time.ts';
import { checkCorrection } from './check-correction.ts';
import { syllablesOf, recognizedSegment, term } from '#test/fusion-segments.ts';

/** `line`: one recognized syllable for each character. */
const check = (text: string, line: string, proposed: string, terms: readonly Term[] = []) =>
  checkCorrection(recognizedSegment(text, line), proposed, terms);
const textOf = (...input: Parameters<typeof check>) => check(...input).segment.text;

/** The corrected characters, each with what was recognized and the term that is meant. */
const correctedIn = (...input: Parameters<typeof check>) =>
  check(...input).segment.words.flatMap(({ text, corrected }) => (corrected === undefined ? [] : [[text, corrected]]));

describe('a change is accepted if the syllables support it', () => {
  it('as the best alternative, as another one, and as a Hong Kong variant', () => {
    expect(textOf('我住系沙甜', 'ngo5 zyu6 hai6 saa1 tim4', '我住係沙甜')).toBe('我住係沙甜');
    expect(textOf('我食犯', 'ngo5 sik6 faan6', '我食飯')).toBe('我食飯');
    expect(textOf('里好', 'lei5 hou2', '你好')).toBe('你好');
    expect(textOf('我要水', 'ngo5 jiu3 seoi3|seoi6', '我要睡')).toBe('我要睡');
  });

  it('by any dictionary reading, also one that a character has only in a word', () => {
    expect(textOf('去銀航', 'heoi3 ngan4 hong4', '去銀行')).toBe('去銀行');
    expect(textOf('間訪', 'gaan1 fong2', '間房')).toBe('間房');
  });

  it('with the supporting reading, and the time and confidence of the old character', () => {
    const { segment, accepted, dropped } = check('難好', 'naan4 hou2', '蘭好');
    expect({ accepted, dropped }).toEqual({ accepted: 1, dropped: 0 });
    expect(segment.words).toEqual([
      {
        text: '蘭',
        reading: 'laan4',
        startMs: 1_000,
        endMs: 1_200,
        confidence: 0.5,
        corrected: { from: '難', term: null },
      },
      { text: '好', reading: 'hou2', startMs: 1_200, endMs: 1_400, confidence: 0.5 },
    ]);
  });

  it('with the term that is meant, and what was recognized in the place of its characters', () => {
    const shatin = [term('沙田', 'saa1 tin4')];
    expect(correctedIn('去沙甜', 'heoi3 saa1 tim4', '去沙田', shatin)).toEqual([['田', { from: '甜', term: '沙田' }]]);
    const longer = [term('北潭涌', 'bak1 taam4 cung1')];
    expect(correctedIn('去筆談沖', 'heoi3 bak1 taam4 cung1', '去北潭涌', longer)).toEqual([
      ['北', { from: '筆', term: '北潭涌' }],
      ['潭', { from: '談', term: '北潭涌' }],
      ['涌', { from: '沖', term: '北潭涌' }],
    ]);
  });

  it('also if the engine times only segments', () => {
    const input = recognizedSegment('我食犯', 'ngo5 sik6 faan6');
    const { segment } = checkCorrection({ ...input, segment: { ...input.segment, words: [] } }, '我食飯', []);
    expect(segment).toMatchObject({ text: '我食飯', words: [] });
  });
});

describe('unsupported changes are dropped', () => {
  it.each([
    ['another tone', '買樓', 'maai5 lau2', '賣樓'],
    ['another sound', '佢去咗', 'keoi5 heoi3 zo2', '佢返咗'],
    ['an alternative below one percent', '買樓', 'maai5|~maai6 lau2', '賣樓'],
    ['a word with one unsupported character', '我去時間', 'ngo5 heoi3 si4 gaan3', '我去時代'],
    ['standard written Chinese for Cantonese', '呢個係我嘅', 'ni1 go3 hai6 ngo5 ge3', '這個是我的'],
    ['a character without a reading', '香港', 'hoeng1 gong2', '⻌港'],
    ['more characters', '我食飯', 'ngo5 sik6 faan6', '我食緊飯'],
    ['fewer characters', '我我食飯', 'ngo5 ngo5 sik6 faan6', '我食飯'],
    ['nothing at all', '食飯', 'sik6 faan6', ''],
  ])('%s', (_name, text, line, proposed) => {
    const input = recognizedSegment(text, line);
    const checked = checkCorrection(input, proposed, []);
    expect(checked.segment).toBe(input.segment);
    expect(checked.dropped).toBeGreaterThan(0);
  });

  it('nothing changes without syllables', () => {
    const input = recognizedSegment('里好', 'lei5 hou2');
    expect(checkCorrection({ ...input, syllables: [] }, '你好', []).segment).toBe(input.segment);
  });

  it('each change is decided separately', () => {
    expect(check('里食犯', 'lei5 sik6 faan6', '你食糧')).toMatchObject({
      segment: { text: '你食犯' },
      accepted: 1,
      dropped: 1,
    });
  });

  it('another sentence is dropped entirely, even where it matches by chance', () => {
    expect(textOf('里今日去邊度', 'lei5 gam1 jat6 heoi3 bin1 dou6', '你明天要來香港嗎朋友')).toBe('里今日去邊度');
  });

  it('syllables at another position do not support a change', () => {
    expect(textOf('是但試', 'si6 daan6 si3', '試但是')).toBe('是但試');
  });
});

describe('letters, digits, punctuation and spaces stay', () => {
  it.each([
    ['我 send 咗 email，OK？', 'ngo5 zo2', '我send咗e-mail ok', '我 send 咗 email，OK？'],
    ['我今年30歲。', 'ngo5 gam1 nin4 seoi3', '我今年三十歲！！', '我今年30歲。'],
    ['里好，OK！', 'lei5 hou2', '「你好」OK', '你好，OK！'],
    ['里好', 'lei5 hou2', '```\n**你好**\n```', '你好'],
    ['里好', 'lei5 hou2', '1. "你好。" <br> 👍', '你好'],
    ['里好', 'lei5 hou2', '修正：你好', '你好'],
    ['好犀利', 'hou2 sai1 lei6', '好犀利（已檢查，沒有錯誤，無需修改）', '好犀利'],
    ['里好', 'lei5 hou2', '你好\ud800\u0000', '你好'],
    ['㐂󠄀里好', 'hei2 lei5 hou2', '㐂你好', '㐂󠄀你好'],
  ])('%s', (text, line, proposed, expected) => {
    expect(textOf(text, line, proposed)).toBe(expected);
  });

  it('Simplified characters become Hong Kong ones, which alone is no change', () => {
    expect(textOf('我哋食犯', 'ngo5 dei6 sik6 faan6', '我哋食饭')).toBe('我哋食飯');
    const input = recognizedSegment('國語講', 'gwok3 jyu5 gong2');
    expect(checkCorrection(input, '国语讲', []).segment).toBe(input.segment);
  });
});

describe('characters of both scripts', () => {
  it('stay in a Traditional proposal and are converted in a Simplified one', () => {
    expect(textOf('去東充', 'heoi3 dung1 cung1', '去東涌')).toBe('去東涌');
    expect(textOf('去筆談沖', 'heoi3 bak1 taam4 cung1', '去北潭涌', [term('北潭涌', 'bak1 taam4 cung1')])).toBe(
      '去北潭涌',
    );
    expect(textOf('好多芸，仲有馬', 'hou2 do1 wan4 zung6 jau5 maa5', '好多云，仲有马')).toBe('好多雲，仲有馬');
  });

  it('are no change if the text already has the converted form', () => {
    const input = recognizedSegment('好多雲', 'hou2 do1 wan4');
    expect(checkCorrection(input, '好多云', []).segment).toBe(input.segment);
  });
});

describe('a term of the request is accepted for similar syllables', () => {
  const shatin = [term('沙田', 'saa1 tin4')];

  it('with another onset, but not with another rime', () => {
    expect(textOf('我去沙面', 'ngo5 heoi3 saa1 min6', '我去沙田', shatin)).toBe('我去沙田');
    expect(textOf('我去沙頭', 'ngo5 heoi3 saa1 tau4', '我去沙田', shatin)).toBe('我去沙頭');
    expect(textOf('我去茶面', 'ngo5 heoi3 caa4 min6', '我去沙田', shatin)).toBe('我去茶面');
  });

  it('only if it is a term', () => {
    expect(textOf('我去沙面', 'ngo5 heoi3 saa1 min6', '我去沙田')).toBe('我去沙面');
  });

  it('not for different syllables', () => {
    expect(textOf('我去香港', 'ngo5 heoi3 hoeng1 gong2', '我去沙田', shatin)).toBe('我去香港');
    expect(textOf('香港', 'hoeng1 gong2', '沙田', shatin)).toBe('香港');
  });

  it('not for very unlikely alternatives', () => {
    expect(textOf('我去下面', 'ngo5 heoi3 haa6|~saa1 min6|~tin4', '我去沙田', shatin)).toBe('我去下面');
  });

  it('with more characters than recognized, if there are as many syllables', () => {
    const terms = [term('九龍塘', 'gau2 lung4 tong4')];
    const { segment, accepted } = checkCorrection(
      { ...recognizedSegment('去九龍', 'heoi3 gau2 lung4'), syllables: syllablesOf('heoi3 gau2 lung4 tong4', 1_000) },
      '去九龍塘',
      terms,
    );
    expect(accepted).toBe(1);
    expect(segment.text).toBe('去九龍塘');
    expect(segment.words.map(({ text, reading }) => [text, reading])).toEqual([
      ['去', 'heoi3'],
      ['九', 'gau2'],
      ['龍', 'lung4'],
      ['塘', 'tong4'],
    ]);
    const times = segment.words.map(({ startMs, endMs }) => [startMs, endMs]);
    expect(times).toEqual([
      [1_000, 1_200],
      [1_200, 1_333],
      [1_333, 1_467],
      [1_467, 1_600],
    ]);
    expect(textOf('去九龍', 'heoi3 gau2 lung4', '去九龍塘', terms)).toBe('去九龍');
    expect(textOf('去九龍', 'heoi3 gau2 lung4 hong1', '去九龍塘', terms)).toBe('去九龍塘');
    expect(textOf('去九龍', 'heoi3 gau2 lung4 sik6', '去九龍塘', terms)).toBe('去九龍');
    expect(textOf('沙去', 'saa1 heoi3', '沙田去', shatin)).toBe('沙去');
  });

  it('with fewer characters than recognized', () => {
    const terms = [term('維多利亞', 'wai4 do1 lei6 aa3')];
    const text = '去圍多利亞啦港';
    expect(textOf(text, 'heoi3 wai4 do1 lei6 aa3 laa1 gong2', '去維多利亞港', terms)).toBe('去維多利亞啦港');
    const recognized = syllablesOf('heoi3 wai4 do1 lei6 aa3', 1_000).concat(syllablesOf('gong2', 2_200));
    const { segment } = checkCorrection(
      { ...recognizedSegment(text, ''), syllables: recognized },
      '去維多利亞港',
      terms,
    );
    expect(segment.text).toBe('去維多利亞港');
    expect(segment.words.map(({ startMs }) => startMs)).toEqual([1_000, 1_200, 1_450, 1_700, 1_950, 2_200]);
  });

  it('without the syllables of an adjacent English word', () => {
    const terms = [term('沙田圍', 'saa1 tin4 wai4')];
    for (const text of ['去 沙田 Wai', '去 沙田']) {
      const input = recognizedSegment(text, '');
      const recognized = syllablesOf('heoi3 saa1 tin4 wai4', 1_000);
      const proposed = text.replace('沙田', '沙田圍');
      expect(checkCorrection({ ...input, syllables: recognized }, proposed, terms).accepted).toBe(
        text.includes('Wai') ? 0 : 1,
      );
      const untimed = { ...input.segment, words: [] };
      expect(checkCorrection({ segment: untimed, syllables: recognized }, proposed, terms).accepted).toBe(
        text.includes('Wai') ? 0 : 1,
      );
    }
  });

  it('with an English part that the text contains', () => {
    const terms = [term('K記', 'gei3'), term('MTR站長', 'zaam6 zoeng2')];
    expect(textOf('食k寄', 'sik6 gei3', '食K記', terms)).toBe('食k記');
    expect(textOf('食寄', 'sik6 gei3', '食K記', terms)).toBe('食記');
    expect(textOf('MTR暫張', 'zaam6 zoeng1', 'MTR站長', terms)).toBe('MTR站長');
  });

  it('in its own spelling, or in Traditional characters if it is Simplified', () => {
    expect(textOf('陳峰', 'can4 fung1', '陳峯', [term('陳峯', 'can4 fung1')])).toBe('陳峯');
    expect(textOf('去銅鑼丸', 'heoi3 tung4 lo4 jyun4', '去铜锣湾', [term('铜锣湾', 'tung4 lo4 waan1')])).toBe(
      '去銅鑼丸',
    );
    expect(textOf('去銅羅彎', 'heoi3 tung4 lo4 waan1', '去铜锣湾', [term('铜锣湾', 'tung4 lo4 waan1')])).toBe(
      '去銅鑼灣',
    );
  });

  it('not if it has one character or no matching readings', () => {
    expect(textOf('沙面', 'saa1 min6', '沙田', [term('田', 'tin4')])).toBe('沙面');
    expect(textOf('沙面', 'saa1 min6', '沙田', [term('沙田', 'saa1')])).toBe('沙面');
    expect(textOf('沙面', 'saa1 min6', '沙田', [{ text: '沙田', readings: [], weight: 1 }])).toBe('沙面');
  });

  it('for any of its readings', () => {
    const both = [
      {
        text: '沙田',
        readings: [
          ['gwok3', 'gwok3'],
          ['saa1', 'tin4'],
        ],
        weight: 1,
      },
    ];
    expect(textOf('沙面', 'saa1 min6', '沙田', both)).toBe('沙田');
  });
});

test('a segment whose words do not match its text stays unchanged', () => {
  const input = recognizedSegment('里好', 'lei5 hou2');
  const segment = { ...input.segment, words: input.segment.words.slice(1) };
  expect(checkCorrection({ ...input, segment }, '你好', []).segment).toBe(segment);
});

test('words of several characters are split where they change', () => {
  const input = recognizedSegment('里好', 'lei5 hou2');
  const words = [{ text: '里好', reading: 'lei5 hou2', startMs: 1_000, endMs: 1_400, confidence: 0.5 }];
  const { segment } = checkCorrection({ ...input, segment: { ...input.segment, words } }, '你好', []);
  expect(segment.words).toEqual([
    {
      text: '你',
      reading: 'lei5',
      startMs: 1_000,
      endMs: 1_200,
      confidence: 0.5,
      corrected: { from: '里', term: null },
    },
    { text: '好', reading: null, startMs: 1_200, endMs: 1_400, confidence: 0.5 },
  ]);
});

test('an extremely long proposal is dropped quickly', async () => {
  const long = '你好'.repeat(500_000);
  expect(await leastCpuTimeMs(() => expect(check('里好', 'lei5 hou2', long).dropped).toBe(1), 500)).toBeLessThan(500);
});
