import { expect, it } from 'vitest';
import { createRandom } from '@jyutsing/numeric/random';
import type { Segment, Word } from '@jyutsing/contracts/transcript';
import { alignText } from './align-text.ts';
import { formatTextGrid } from './format-text-grid.ts';
import { matchUnits } from './match-units.ts';

/** A segment whose words last 200 ms each. */
function said(words: readonly string[], startMs: number, joiner = ''): Segment {
  const timed = words.map((text, at): Word => {
    return { text, reading: null, startMs: startMs + at * 200, endMs: startMs + at * 200 + 200, confidence: null };
  });
  const endMs = startMs + words.length * 200;
  return { text: words.join(joiner), startMs, endMs, words: timed, speaker: null, confidence: null };
}
const spans = (timed: readonly { text: string; startMs: number; endMs: number }[]) =>
  timed.map(({ text, startMs, endMs }) => [text, startMs, endMs]);

it('gives sentences, words and characters their times, numbers as they are spoken', async () => {
  const transcript = [said([...'我二零二六年去咗'], 1_000), said(['ikea', '買', '枱'], 3_000)];
  const { segments, disagreements } = await alignText('我2026年去咗\nIKEA買枱！', transcript, 'cantonese');
  expect(spans(segments)).toEqual([
    ['我2026年去咗', 1_000, 2_600],
    ['IKEA買枱！', 3_000, 3_600],
  ]);
  expect(spans(segments[0]!.words)).toContainEqual(['2026', 1_200, 2_000]);
  expect(spans(segments[1]!.words.flatMap(({ characters }) => characters))).toEqual([
    ['買', 3_200, 3_400],
    ['枱', 3_400, 3_600],
  ]);
  expect(disagreements).toEqual([]);
});

it('says where less, more or something else was said; homophones agree', async () => {
  const transcript = [said([...'金日天氣非常好我哋去海灘'], 0)];
  const { segments, disagreements } = await alignText('今日天氣好。我哋聽朝去行山。', transcript, 'cantonese');
  expect(disagreements.map(({ text, heard: spoken }) => [text, spoken])).toEqual([
    ['', '非常'],
    ['聽朝', ''],
    ['行山', '海灘'],
  ]);
  expect(segments[0]!.words[0]!.score).toBeGreaterThan(0.9);
  expect(segments[1]!.startMs).toBe(1_400);
});

/** Speech that begins before the first word that was heard, and ends after the last one. */
function speech(words: readonly string[], startMs: number): Segment {
  const spoken = said(words, startMs + 400, ' ');
  return { ...spoken, startMs, endMs: spoken.endMs + 300 };
}

it('words that were not heard lie in the speech of their sentence, not in the pause before it', async () => {
  const transcript = [speech(['red', 'fox'], 1_000), speech(['dog', 'sleeps'], 5_000)];
  const { segments } = await alignText('A red fox runs.\nMy dog sleeps now.', transcript, 'english');
  expect(spans(segments)).toEqual([
    ['A red fox runs.', 1_000, 2_100],
    ['My dog sleeps now.', 5_000, 6_100],
  ]);
  expect(
    spans(segments.flatMap(({ words }) => words)).filter(([word]) => /^(?:A|runs|My|now)$/.test(String(word))),
  ).toEqual([
    ['A', 1_000, 1_400],
    ['runs', 1_800, 2_100],
    ['My', 5_000, 5_400],
    ['now', 5_800, 6_100],
  ]);
});

it('aligns English words, and words that are heard differently', async () => {
  const transcript = [said(['the', 'quick', 'brown', 'socks', 'jumps'], 500, ' ')];
  const { segments, disagreements } = await alignText('The quick brown fox jumps.', transcript, 'english');
  expect(spans(segments[0]!.words).at(-1)).toEqual(['jumps', 1_300, 1_500]);
  expect(disagreements).toMatchObject([{ text: 'fox', heard: 'socks', startMs: 1_100 }]);
});

it('refuses a text that nobody can speak, and places one that was not said', async () => {
  await expect(alignText('。。。', [said(['好'], 0)], 'cantonese')).rejects.toMatchObject({
    code: 'text_not_readable',
  });
  expect((await alignText('早晨', [], 'cantonese')).segments).toMatchObject([{ startMs: 0, endMs: 0 }]);
});

const unit = (text: string) => ({ text, syllable: null });

it('keeps its place over hours, with a fifth of the syllables wrong, in time in proportion', () => {
  const random = createRandom(3);
  const syllables = Array.from({ length: 30_000 }, () => `s${String(Math.floor(random() * 400))}`);
  const wrong = syllables.map((text) => (random() < 0.2 ? `w${String(Math.floor(random() * 400))}` : text));
  const started = process.cpuUsage();
  const pairs = matchUnits(syllables.map(unit), wrong.map(unit));
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(20);
  const misplaced = pairs.filter(({ text, spoken, cost }) => cost === 0 && text !== spoken);
  expect(misplaced.length).toBeLessThan(30);
  expect(pairs.at(-1)).toMatchObject({ text: 29_999, spoken: 29_999 });
});

it('nothing in common ends soon too', () => {
  const started = process.cpuUsage();
  const pairs = matchUnits(
    Array.from({ length: 12_000 }, () => unit('a')),
    Array.from({ length: 12_000 }, () => unit('b')),
  );
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(20);
  expect(pairs.filter(({ text }) => text >= 0)).toHaveLength(12_000);
});

it('a long text takes time in proportion, without ends of sentences and whether it was said or not', async () => {
  const pairs = matchUnits(
    Array.from({ length: 150_000 }, () => unit('a')),
    [],
  );
  expect(pairs).toHaveLength(150_000);
  const started = process.cpuUsage();
  const { segments } = await alignText('今日天氣好好我哋去行山聽日再去游水'.repeat(2_400), [], 'cantonese');
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(6);
  expect(segments[0]!.words.flatMap(({ characters }) => characters)).toHaveLength(17 * 2_400);
});

it('a TextGrid has tiers without gaps', async () => {
  const { segments } = await alignText('你"好"', [said([...'你好'], 500)], 'cantonese');
  const grid = formatTextGrid(segments, 2_000);
  expect(grid).toContain('text = "你""好"""');
  expect(grid.match(/xmax = 2\.000/g)).toHaveLength(1 + 3 + 3);
  expect(grid).toMatch(/xmin = 0\.000\s+xmax = 0\.500\s+text = ""/);
});
