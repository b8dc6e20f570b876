import { describe, expect, it } from 'vitest';
import { parseCaptions } from '#packages/engines/youtube/formats/parse-captions.ts';
import { transcriptRows } from '#server/features/video-summary/transcript-text.ts';
import { VIDEOS } from './catalogue.ts';
import { TALKS } from './catalogue-talks.ts';
import { lengthOf } from './cues.ts';
import { longTalk } from './texts/long-talk.ts';
import { captionFile, type CaptionFormat } from './timed-text.ts';
import { sentencesOf, type Track, type Video } from './videos.ts';

const FORMATS: readonly CaptionFormat[] = ['json3', 'srv3', 'vtt', 'xml'];
const TRACKS = Object.entries<Video>(TALKS)
  .flatMap(([name, { tracks }]) => (tracks ?? []).map((track): [string, Track] => [`${name}, ${track.name}`, track]))
  .filter(([name]) => !name.startsWith('threeHours'));

const textOf = (body: string) =>
  transcriptRows(parseCaptions(body) ?? [])
    .map(({ text }) => text)
    .join('');

describe('every format contains the spoken text exactly once', () => {
  it.each(TRACKS)('%s', (_, track) => {
    const spoken = onlyLetters(sentencesOf(track).join(''), track);
    const read = FORMATS.map((format) => textOf(captionFile(track, format).body));
    expect(read.map((text) => onlyLetters(text, track))).toEqual(FORMATS.map(() => spoken));
  });
});

it('automatic captions roll: each row is repeated above the next', () => {
  const [track] = VIDEOS.englishAutomatic.tracks;
  const vtt = captionFile(track, 'vtt').body;
  expect(vtt).toContain('good evening and thank you all for coming\nout<');
  expect(vtt).toMatch(/<00:00:\d\d\.\d{3}><c> evening<\/c>/);
  expect(vtt).toContain('[Music]');
  expect(vtt).toContain('&gt;&gt; we did not find');
  const json3 = JSON.parse(captionFile(track, 'json3').body) as { events: Record<string, unknown>[] };
  expect(json3.events[0]).toMatchObject({ id: 1, wpWinPosId: 1, wsWinStyleId: 1 });
  expect(json3.events).toContainEqual(expect.objectContaining({ aAppend: 1, wWinId: 1, segs: [{ utf8: '\n' }] }));
  expect(captionFile(track, 'srv3').body).toMatch(/<p t="\d+" d="\d+" w="1"><s ac="0">\[Music\]<\/s><\/p>/);
});

it('entities are encoded as in the real formats', () => {
  const [track] = VIDEOS.englishTalk.tracks;
  expect(captionFile(track, 'srv3').body).toContain('&quot;We did not find');
  expect(captionFile(track, 'xml').body).toContain('&amp;quot;We did not find');
  expect(captionFile(track, 'vtt').body).toContain('car parks &amp; fields');
  expect(captionFile(track, 'json3').body).toContain('car parks & fields');
});

it('a track without words has no caption lines', () => {
  for (const format of FORMATS) {
    for (const make of [{ isAutomatic: false }, { isAutomatic: true }]) {
      const file = captionFile({ name: 'English', languageCode: 'en', sentences: [], ...make }, format);
      expect(parseCaptions(file.body)).toEqual([]);
    }
    const [music] = VIDEOS.onlyMusic.tracks;
    expect(transcriptRows(parseCaptions(captionFile(music, format).body) ?? [])).toEqual([]);
  }
});

it('the three-hour talk has at least 30,000 words and is always the same', () => {
  const talk = longTalk();
  expect(talk.join(' ').split(' ').length).toBeGreaterThanOrEqual(30_000);
  expect(lengthOf(talk) / 3_600_000).toBeCloseTo(3, 0);
  expect(talk[1]).toBe(
    'Later that year the youngest apprentice rebuilt a pump that nobody had used since the war in 1995, although there was no money left in the fund.',
  );
  const [track] = VIDEOS.threeHoursAutomatic.tracks;
  expect(onlyLetters(textOf(captionFile(track, 'json3').body), track)).toBe(onlyLetters(talk.join(''), track));
  expect(new Set(talk).size).toBeGreaterThan(talk.length * 0.95);
});

it('each talk has at least forty sentences', () => {
  for (const { tracks } of Object.values<Video>(TALKS)) {
    expect(sentencesOf(tracks![0]!).length).toBeGreaterThanOrEqual(40);
  }
});

/** Removes sound notes and speaker marks; for automatic tracks also punctuation and upper case. */
function onlyLetters(text: string, { isAutomatic }: Track): string {
  const letters = text.replace(/\s|\[[^\]]{1,40}\]|>> /gu, '');
  return isAutomatic ? letters.replace(/[^\p{L}\p{N}'’&-]/gu, '').toLowerCase() : letters;
}
