import { describe, expect, it } from 'vitest';
import { CHINESE } from './chinese.ts';
import { cleanTranscript } from './clean-transcript.ts';
import { ENGLISH } from './english.ts';
import { JAPANESE } from './japanese.ts';
import { KOREAN } from './korean.ts';
import type { Lexicon } from './lexicon.ts';
import { splitSentences } from './split-sentences.ts';

const unpaced = () => undefined;
const split = async (text: string, lexicon: Lexicon) =>
  (await splitSentences(await cleanTranscript(text, unpaced), lexicon, unpaced)).map((piece) => piece.text);

describe('with punctuation', () => {
  it('every final mark ends a sentence, with closing quotes and brackets', async () => {
    expect(await split('佢話：「好呀！」跟住走咗。你信唔信？我信…', CHINESE)).toEqual([
      '佢話：「好呀！」',
      '跟住走咗。',
      '你信唔信？',
      '我信…',
    ]);
    expect(await split('He said "Go." Then he left! Did he?', ENGLISH)).toEqual([
      'He said "Go."',
      'Then he left!',
      'Did he?',
    ]);
    expect(await split('そうです。本当ですか？', JAPANESE)).toEqual(['そうです。', '本当ですか？']);
    expect(await split('그렇습니다. 정말요?', KOREAN)).toEqual(['그렇습니다.', '정말요?']);
  });

  it('titles, initials, decimals and host names end no sentence', async () => {
    expect(await split('Dr. Lee and Mr. J. Wong paid 3.50 at example.com last week. It was fine.', ENGLISH)).toEqual([
      'Dr. Lee and Mr. J. Wong paid 3.50 at example.com last week.',
      'It was fine.',
    ]);
  });

  it('caption lines within a sentence are joined with or without a space, by language', async () => {
    expect(await split('We went up\nthe hill. It\nwas steep.', ENGLISH)).toEqual([
      'We went up the hill.',
      'It was steep.',
    ]);
    expect(await split('我哋行\n上山。好\n斜㗎。', CHINESE)).toEqual(['我哋行上山。', '好斜㗎。']);
    expect(await split('我用緊 Final\nCut 剪片。', CHINESE)).toEqual(['我用緊 Final Cut 剪片。']);
  });
});

describe('without punctuation', () => {
  it('captions are cut at openers and closers and end with the full stop of their script', async () => {
    const pieces = await split(
      'so the first thing you need is a sharp\nknife and a board that does not slip then\nyou cut the onion in half and you leave the root on\nbecause that holds it together okay now we\nheat the oil in a heavy pan',
      ENGLISH,
    );
    expect(pieces.length).toBeGreaterThanOrEqual(3);
    expect(pieces.every((piece) => /^[A-Z].*\.$/.test(piece))).toBe(true);
    expect(pieces).toContain('Okay now we heat the oil in a heavy pan.');
  });

  it('Chinese lines that follow the speech are joined by commas and end with a full-width stop', async () => {
    const pieces = await split(
      '首先我哋要準備麵粉同水\n跟住慢慢撈埋一齊\n所以個麵糰就會變得好滑喇\n如果\n屋企太凍\n就擺喺暖啲嘅地方\n等佢發大一倍先好用㗎\n最後我哋將佢放入焗爐度\n焗大約四十分鐘就得喇',
      CHINESE,
    );
    expect(pieces.join('')).toContain('，');
    expect(pieces.every((piece) => piece.endsWith('。') && piece.length <= 61)).toBe(true);
  });

  it.each([
    '我哋主要做環保產品例如用竹做嘅餐具同埋可以循環再用嘅袋首先我哋會喺本地搵材料然後搵工場幫手做其實成本都唔平仲有運輸嘅費用',
    '學游水唔難首先要習慣落水然後學閉氣其實最緊要係放鬆譬如你一緊張就會沉仲有就係要搵個好教練',
  ])('Cantonese is cut before discourse words, not after them: %s', async (text) => {
    const pieces = await split(text, CHINESE);
    expect(pieces.some((piece) => /^(?:首先|其實|然後|仲有)/u.test(piece))).toBe(true);
    expect(pieces.filter((piece) => /(?:例如|譬如|首先|其實|然後|仲有)。$/u.test(piece))).toEqual([]);
  });

  it('pauses in Japanese lines become Japanese commas', async () => {
    const pieces = await split(
      '温度が低いと\n発酵はゆっくり進みます\nだから味が深くなるんです\n夏は早すぎます\nでも冬は遅すぎません',
      JAPANESE,
    );
    expect(pieces.join('')).not.toContain('，');
  });

  it('Japanese and Korean are cut after their verbs', async () => {
    expect(
      await split(
        '今日はパンを焼きます材料は小麦粉と水と塩です小麦粉は強力粉を使ってください水は少しずつ入れます',
        JAPANESE,
      ),
    ).toEqual([
      '今日はパンを焼きます材料は小麦粉と水と塩です。',
      '小麦粉は強力粉を使ってください水は少しずつ入れます。',
    ]);
    const korean = await split(
      '오늘은 집에서 빵을 굽겠습니다 재료는 밀가루와 물과 소금입니다 밀가루는 강력분을 쓰세요 그리고 물은 조금씩 넣는 것이 좋습니다',
      KOREAN,
    );
    expect(korean.every((piece) => /(?:니다|세요)\.$/.test(piece))).toBe(true);
  });

  it('no piece is longer than the longest sentence', async () => {
    const pieces = await split(`${'word '.repeat(5_000)}`, ENGLISH);
    expect(Math.max(...pieces.map((piece) => piece.split(' ').length))).toBeLessThanOrEqual(ENGLISH.sentenceLength.max);
    const chinese = await split('好'.repeat(20_000), CHINESE);
    expect(Math.max(...chinese.map((piece) => piece.length))).toBeLessThanOrEqual(CHINESE.sentenceLength.max + 1);
  });
});

it('times, sound descriptions, speaker marks, control characters and repeated lines are removed', async () => {
  const text =
    '00:01 [Music]\n>> Hello there.\n1:02:03 ♪ It is\u0000 a\u200B long\u00AD road. ♪\nIt is a bad\ud800 road.\nIt is a bad road.';
  expect(await split(text, ENGLISH)).toEqual(['Hello there.', 'It is a long road.', 'It is a bad road.']);
});
