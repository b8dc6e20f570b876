import { expect, it } from 'vitest';
import { leastTurnMs } from '#test/http/longest-turn.ts';
import { findMatches } from './find-matches.ts';

const LONGEST_TURN_MS = 120;

/** A transcript of many hours: 9,000 segments with these 20 words. */
function longDocument(words: readonly string[]) {
  const line = Array.from({ length: 20 }, (_, index) => words[index % words.length]).join(' ');
  const segment = { text: line, startMs: 0, endMs: 1_000, speaker: null };
  const text = Array.from({ length: 9_000 }, () => line).join('\n');
  return { title: '', text, syllables: text, jyutping: text, segments: Array.from({ length: 9_000 }, () => segment) };
}

it('a search in a transcript of many hours lets other requests go on', async () => {
  const different = Array.from('一二三四五六七八九十百千萬億兆京垓秭穰溝');
  const alike = Array.from({ length: 50 }, () => '的');
  const queries = {
    'many words': { words: different, text: Array.from({ length: 50 }, (_, at) => ({ words: [different[at % 20]!] })) },
    'the same word again and again': { words: alike, text: alike.map((word) => ({ words: [word] })) },
    'a long phrase': { words: alike, text: [{ words: alike }] },
    'many phrases of one word': {
      words: alike,
      text: Array.from({ length: 9 }, (_, at) => ({ words: alike.slice(0, at + 1) })),
    },
    'jyutping without tones': { words: ['zou2', 'san4'], text: [] },
  };
  const blocking: unknown[] = [];
  for (const [name, { words, text }] of Object.entries(queries)) {
    const document = longDocument(words);
    const jyutping = text.length === 0 ? { words: ['zou', 'san'] } : null;
    let count = 0;
    const find = async () => {
      ({ count } = await findMatches(document, { text, jyutping }, 5));
    };
    const turnMs = await leastTurnMs(find, LONGEST_TURN_MS);
    if (turnMs > LONGEST_TURN_MS || count !== 9_000) blocking.push([name, Math.round(turnMs), count]);
  }
  expect(blocking).toEqual([]);
});
