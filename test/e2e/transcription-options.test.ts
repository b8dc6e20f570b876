import { beforeAll, describe, expect, it } from 'vitest';
import { silence, wavBytes, type Sound } from '#testbed/sound/audio.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  sharedService,
  submission,
  waitForResult,
  type SharedService,
} from '#testbed/service/service.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

let service: SharedService;
let recordings: { name: string; sound: Sound; language: string }[];

beforeAll(async () => {
  service = await sharedService();
  recordings = await makeRecordings();
});

const synthesize = (text: string, how = {}) => speak(toJyutping(text), how);

/**
 * Recordings for all shapes of transcripts: empty, one syllable, without pauses, many pauses, two
 * voices, another language.
 */
async function makeRecordings() {
  const man = { voice: 'yue-latn-jyutping+m3', pitch: 30 };
  const woman = { voice: 'yue-latn-jyutping+f4', pitch: 70 };
  const clauses = ['今日天氣好好', '我哋去行山', '帶咗水同飯盒', '落山食糖水', '係', '好呀'];
  const breathless = '我琴日同朋友喺中環搭渡輪去長洲行咗一個下晝然後食咗海鮮先至返屋企瞓覺';
  const listed = [];
  for (const clause of clauses) listed.push(await synthesize(clause, man));
  const talk = [
    await synthesize('你食咗飯未呀', man),
    await synthesize('食咗喇你呢', woman),
    await synthesize('我都食咗', man),
  ];
  const english = await speak('The weather is very nice today, so we are going for a walk in the country park.', {
    voice: 'en-us',
  });
  return [
    { name: 'silence', sound: silence(2_000, 16_000), language: 'cantonese' },
    { name: 'one syllable', sound: await synthesize('好'), language: 'cantonese' },
    { name: 'no pause', sound: await synthesize(breathless), language: 'cantonese' },
    { name: 'many pauses', sound: joinSounds(listed, 800), language: 'cantonese' },
    { name: 'two voices', sound: joinSounds(talk, 500), language: 'cantonese' },
    { name: 'English', sound: english, language: 'english' },
  ];
}

const OPTIONS = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  with_timestamp: String((bits & 1) > 0),
  with_diarization: String((bits & 2) > 0),
  skip_fusion: String((bits & 4) > 0),
}));

type Timed = { start: number; end: number; text: string };
type Words = { words: (Timed & { characters?: Timed[] })[]; speaker: string | null };

const bare = (text: string) => text.replaceAll(/\s+/gu, '');
const withoutNames = (text: string) => text.replaceAll(/^SPEAKER_\d\d: /gmu, '');

/** Parses SubRip blocks, which must match the documented form exactly. */
function readBlocks(file: string): Timed[] {
  const blocks = [...file.matchAll(/(\d+)\n(\S+) --> (\S+)\n(.+)\n\n/gy)];
  expect(blocks.map(([whole]) => whole).join('')).toBe(file);
  expect(blocks.map(([, number]) => Number(number))).toEqual(blocks.map((_, index) => index + 1));
  return blocks.map(([, , from, to, text]) => ({ start: seconds(from!), end: seconds(to!), text: text! }));
}

function seconds(code: string): number {
  const [, hours, minutes, seconds, ms] = /^(\d\d):([0-5]\d):([0-5]\d),(\d{3})$/.exec(code)!.map(Number);
  return hours! * 3_600 + minutes! * 60 + seconds! + ms! / 1_000;
}

function expectInOrder(spans: readonly Timed[], untilSeconds: number): void {
  let reached = 0;
  for (const { start, end } of spans) {
    expect(start).toBeGreaterThanOrEqual(reached);
    expect(end).toBeGreaterThanOrEqual(start);
    reached = end;
  }
  expect(reached).toBeLessThanOrEqual(untilSeconds + 0.001);
}

const read = async (id: string, suffix: string) =>
  (await fetch(`${service.baseUrl}/api/speech-to-text/${id}${suffix}`, { headers: { 'x-api-key': OWNER_KEY } })).text();

describe('every combination of transcription options', () => {
  it.each(OPTIONS)('gives ordered times that cover the speech, and consistent texts: %j', async (options) => {
    for (const { name, sound, language } of recordings) {
      const form = submission(wavBytes(sound), { ...options, lang: language });
      const id = requestIdOf(await request(`${service.baseUrl}/api/stt`, form));
      const record = await waitForResult(service.baseUrl, id);
      expect([name, record['status'], record['error']]).toEqual([name, 'completed', undefined]);
      const duration = Number(record['duration_s']);

      const json = JSON.parse(await read(id, '.json')) as { text: string; segments: (Timed & Words)[] };
      const text = bare(json.text);
      expect(text === '').toBe(name === 'silence');
      expectInOrder(json.segments, duration);
      expect(bare(json.segments.map((segment) => segment.text).join(''))).toBe(text);
      for (const segment of json.segments) {
        expectInOrder(segment.words, segment.end);
        for (const word of segment.words) {
          expect(word.start).toBeGreaterThanOrEqual(segment.start);
          expectInOrder(word.characters ?? [], word.end);
        }
        expect(segment.speaker !== null).toBe(options.with_diarization === 'true');
      }

      const srt = await read(id, '.srt');
      const blocks = readBlocks(srt);
      expectInOrder(blocks, duration);
      expect(bare(withoutNames(blocks.map((block) => block.text).join('\n')))).toBe(text);
      for (const word of json.segments.flatMap(({ words }) => words)) {
        expect(blocks.some(({ start, end }) => start <= word.start + 0.001 && end >= word.end - 0.001)).toBe(true);
      }
      const vtt = await read(id, '.vtt');
      expect(bare(vtt.slice('WEBVTT\n\n'.length))).toBe(
        bare(srt.replaceAll(/^\d+\n(?=\S+ --> )/gmu, '').replaceAll(/(\d\d),(\d{3})/g, '$1.$2')),
      );
      expect(bare(withoutNames(await read(id, '.txt')))).toBe(text);

      const isFused = options.skip_fusion === 'false' && language === 'cantonese' && name !== 'silence';
      expect('fused_transcription' in record).toBe(isFused);
      expect('jyutping_transcription' in record).toBe(isFused);
      const final = String(isFused ? record['fused_transcription'] : record['transcription']);
      // In files a single speaker has no label.
      const isAlone = new Set(json.segments.map(({ speaker }) => speaker)).size <= 1;
      const shown = bare(isAlone ? withoutNames(final) : final);
      expect(shown).toBe(options.with_timestamp === 'true' ? bare(srt) : text);
      const hasTurns = options.with_diarization === 'true' && options.with_timestamp === 'false';
      expect('diarization' in record).toBe(hasTurns);
      expect(bare(withoutNames(hasTurns ? String(record['diarization']) : json.text))).toBe(text);
    }
  });
});
