import { describe, expect, it } from 'vitest';
import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import type { Segment, Word } from '@jyutsing/contracts/transcript';
import { assignSpeakers, cutBySpeaker, speakerParts } from './speakers.ts';

function word(text: string, startMs: number, endMs: number, confidence: number | null = null): Word {
  return { text, reading: null, startMs, endMs, confidence };
}

/** Consecutive words of 200 ms. */
function segment(text: string, words: string[], startMs = 0): Segment {
  const timed = words.map((text, index) => word(text, startMs + index * 200, startMs + (index + 1) * 200));
  return { text, startMs, endMs: startMs + words.length * 200, words: timed, speaker: null, confidence: 0.5 };
}

const turn = (startMs: number, endMs: number, speaker: number): SpeakerTurn => ({ startMs, endMs, speaker });
const shown = (segments: Segment[]) => segments.map(({ speaker, text }) => `${speaker}: ${text}`);

describe('a segment', () => {
  it('of one speaker is not cut', () => {
    const whole = segment('你好嗎？', ['你', '好', '嗎']);
    expect(assignSpeakers([whole], [turn(0, 10_000, 3)])).toEqual([{ ...whole, speaker: '3' }]);
  });

  it('is cut where the speaker changes, with punctuation after its word', () => {
    const whole = segment('食咗飯未？食咗。', ['食', '咗', '飯', '未', '食', '咗']);
    const cut = assignSpeakers([whole], [turn(0, 820, 0), turn(820, 2_000, 1)]);
    expect(shown(cut)).toEqual(['0: 食咗飯未？', '1: 食咗。']);
    expect(cut.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 800],
      [800, 1_200],
    ]);
  });

  it('keeps English words with their spaces and punctuation', () => {
    const whole = segment("I don't know. “Well, ask him!”", ['I', "don't", 'know', 'Well', 'ask', 'him']);
    const cut = assignSpeakers([whole], [turn(0, 600, 0), turn(600, 2_000, 1)]);
    expect(shown(cut)).toEqual(["0: I don't know.", '1: “Well, ask him!”']);
  });

  it('is not cut for one word between two of another speaker', () => {
    const whole = segment('你好嗎', ['你', '好', '嗎']);
    expect(shown(assignSpeakers([whole], [turn(0, 200, 0), turn(200, 400, 1), turn(400, 600, 0)]))).toEqual([
      '0: 你好嗎',
    ]);
  });

  it('without words belongs to the speaker with the largest share', () => {
    const whole = { ...segment('你好。喂。', []), endMs: 1_000 };
    expect(shown(assignSpeakers([whole], [turn(0, 400, 0), turn(400, 1_000, 1)]))).toEqual(['1: 你好。喂。']);
  });

  it('outside all turns belongs to the nearest one, and without turns to speaker 0', () => {
    const whole = segment('喂', ['喂'], 5_000);
    expect(shown(assignSpeakers([whole], [turn(0, 1_000, 0), turn(5_400, 6_000, 1)]))).toEqual(['1: 喂']);
    expect(shown(assignSpeakers([whole], [turn(0, 4_900, 0), turn(5_400, 6_000, 1)]))).toEqual(['0: 喂']);
    expect(shown(assignSpeakers([whole], []))).toEqual(['0: 喂']);
  });

  it('with simultaneous speakers belongs to the previous speaker', () => {
    const whole = segment('你好嗎', ['你', '好', '嗎']);
    expect(shown(assignSpeakers([whole], [turn(0, 600, 1), turn(200, 600, 0)]))).toEqual(['1: 你好嗎']);
  });

  it('has the mean confidence of its words', () => {
    const words = [word('a', 0, 100, 0.2), word('b', 100, 200, 0.4), word('c', 200, 300, 1)];
    const whole: Segment = { text: 'a b c', startMs: 0, endMs: 300, words, speaker: null, confidence: 0.5 };
    const cut = assignSpeakers([whole], [turn(0, 200, 0), turn(200, 300, 1)]);
    expect(cut.map(({ confidence }) => confidence?.toFixed(2))).toEqual(['0.30', '1.00']);
  });
});

describe('the parts of a segment', () => {
  const recognized = segment('佢話啱，唔啱', ['佢', '話', '啱', '唔', '啱']);
  const parts = speakerParts([recognized], [turn(0, 600, 0), turn(600, 1_000, 1)]);

  it('cut another text with the same times equally', () => {
    const corrected = segment('佢話啱，唔啱！', ['佢', '話', '啱', '唔', '啱']);
    expect(shown(cutBySpeaker([corrected], parts))).toEqual(['0: 佢話啱，', '1: 唔啱！']);
  });

  it('cut other words by time, and do not cut a text without words', () => {
    const other = {
      ...recognized,
      text: 'he is right no',
      words: [word('he is right', 0, 590), word('no', 610, 1_000)],
    };
    expect(shown(cutBySpeaker([other], parts))).toEqual(['0: he is right', '1: no']);
    const without = cutBySpeaker([{ ...recognized, words: [] }], parts);
    expect(shown(without)).toEqual(['0: 佢話啱，唔啱', '1: ']);
  });

  it('join the words if the text does not contain them', () => {
    const odd = { ...recognized, text: '???' };
    expect(shown(cutBySpeaker([odd], parts))).toEqual(['0: 佢話啱', '1: 唔啱']);
  });
});

describe('random turns', () => {
  const random = seeded(7);
  const upTo = (limit: number) => Math.floor(random() * limit);
  const cases = Array.from({ length: 300 }, () => {
    let atMs = 0;
    const segments = Array.from({ length: upTo(6) }, () => {
      const startMs = (atMs += upTo(2_000));
      const isEnglish = random() < 0.5;
      const words = Array.from({ length: upTo(12) }, () => {
        const fromMs = (atMs += upTo(2) * upTo(300));
        return word(isEnglish ? 'yes' : '係', fromMs, (atMs += upTo(3) * 100), random());
      });
      const marks = words.map((_, index) => (random() < 0.2 || index === words.length - 1 ? '。' : ''));
      const text = words.map((item, index) => item.text + marks[index]).join(isEnglish ? ' ' : '');
      return { text, startMs, endMs: atMs, words, speaker: null, confidence: null } satisfies Segment;
    });
    const turns = Array.from({ length: upTo(12) }, () => {
      const startMs = upTo(Math.max(1, atMs));
      return turn(startMs, startMs + 1 + upTo(3_000), upTo(4));
    });
    return { segments, turns };
  });

  it('keep all words, their order and their times', () => {
    for (const { segments, turns } of cases) {
      const cut = assignSpeakers(segments, turns);
      expect(cut.flatMap(({ words }) => words)).toEqual(segments.flatMap(({ words }) => words));
      expect(signs(cut)).toBe(signs(segments));
      expect(cut.every(({ speaker }) => /^\d+$/.test(speaker ?? ''))).toBe(true);
      const times = cut.flatMap(({ startMs, endMs, words }) => [
        startMs,
        ...words.flatMap((timedWord) => [timedWord.startMs, timedWord.endMs]),
        endMs,
      ]);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });
});

/** The texts without spaces, which cuts remove. */
function signs(list: readonly Segment[]): string {
  return list.map(({ text }) => text.replaceAll(' ', '')).join('');
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 16_777_216;
  };
}
