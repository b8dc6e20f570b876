import { describe, expect, it } from 'vitest';
import { DEFAULT_TURN_DETECTION, type TurnDetection } from '@jyutsing/contracts/live-recognition';
import { joinSamples } from '#audio/join-samples.ts';
import { noise, silence, type Sound } from '#testbed/sound/audio.ts';
import { whistle } from '#test/audio-whistled.ts';
import { createLiveSpeechDetector } from './live-speech-detector.ts';
import { LiveSegmenter, type LiveSegmenterEvent } from './live-segmenter.ts';

const samplesOf = (sound: Sound) => sound.channels[0] ?? new Float32Array(0);
const pause = (durationMs: number) => samplesOf(silence(durationMs));
const speech = (syllables: number) =>
  samplesOf(whistle(Array.from({ length: syllables }, (_, i) => ['hoeng1', 'gong2', 'jan4', 'nei5'][i % 4] ?? null)));
/** The length of one whistled syllable. */
const SYLLABLE_MS = 270;

const openSegmenter = async (turn: TurnDetection | null) => new LiveSegmenter(await createLiveSpeechDetector(), turn);

async function cut(samples: Float32Array, turn: TurnDetection | null = DEFAULT_TURN_DETECTION, end = true) {
  const segmenter = await openSegmenter(turn);
  const events: LiveSegmenterEvent[] = [];
  for (let at = 0; at < samples.length; at += 1_000)
    events.push(...(await segmenter.push(samples.slice(at, at + 1_000))));
  if (end) events.push(...segmenter.commit('end'));
  segmenter.close();
  return events;
}

const typesOf = (events: readonly LiveSegmenterEvent[]) => events.map(({ type }) => type);
const piecesOf = (events: readonly LiveSegmenterEvent[]) =>
  events.flatMap((event) => (event.type === 'piece' ? [event.speech] : []));

describe('turn detection', () => {
  it('finds where speech begins and ends, to a tenth of a second', async () => {
    const events = await cut(joinSamples([pause(2_000), speech(4), pause(1_500)]));
    expect(typesOf(events)).toEqual(['segment-start', 'speech-end', 'piece', 'segment-end']);
    const [start, end] = events;
    const [piece] = piecesOf(events);
    const startMs = start?.type === 'segment-start' ? start.startMs : 0;
    expect(Math.abs(startMs + DEFAULT_TURN_DETECTION.prefixPaddingMs - 2_000)).toBeLessThan(100);
    expect(Math.abs((piece?.speechEndMs ?? 0) - 2_000 - 4 * SYLLABLE_MS)).toBeLessThan(100);
    const endMs = end?.type === 'speech-end' ? end.endMs : 0;
    expect(endMs - (piece?.speechEndMs ?? 0)).toBe(DEFAULT_TURN_DETECTION.silenceMs);
  });

  it('reports the beginning of speech within a quarter of a second', async () => {
    const events = await cut(
      joinSamples([pause(2_000), speech(1).subarray(0, 250 * 16)]),
      DEFAULT_TURN_DETECTION,
      false,
    );
    expect(typesOf(events)).toEqual(['segment-start']);
  });

  it.each([
    [300, 2],
    [900, 1],
  ])('with a silence of %i ms, a pause of 600 ms gives %i segments', async (silenceMs, count) => {
    const samples = joinSamples([pause(500), speech(4), pause(600), speech(4), pause(1_000)]);
    const events = await cut(samples, { ...DEFAULT_TURN_DETECTION, silenceMs });
    expect(typesOf(events).filter((type) => type === 'segment-end')).toHaveLength(count);
  });

  it.each([
    ['silence', pause(4_000)],
    ['quiet hiss', samplesOf(noise(4_000, 0.003))],
    ['a click', joinSamples([pause(1_000), new Float32Array(160).fill(0.9), pause(1_000)])],
  ])('%s opens no segment', async (_, samples) => {
    expect(await cut(samples)).toEqual([]);
  });

  it('a monologue is cut into pieces without gaps or overlap, and its segment ends', async () => {
    const events = await cut(joinSamples([pause(500), speech(180), pause(1_000)]));
    const reasons = events.flatMap((event) => (event.type === 'segment-end' ? [event.reason] : []));
    expect(reasons).toEqual(['limit', 'silence']);
    const pieces = piecesOf(events);
    expect(pieces.length).toBeGreaterThan(2);
    for (const [index, piece] of pieces.slice(1).entries()) {
      const before = pieces[index]!;
      expect(piece.startMs).toBeGreaterThanOrEqual(before.startMs + before.samples.length / 16);
      expect(piece.startMs - before.startMs - before.samples.length / 16).toBeLessThan(100);
    }
  });
});

describe('without turn detection', () => {
  it('a segment begins with the first sound and ends with the commit', async () => {
    const segmenter = await openSegmenter(null);
    const events = await segmenter.push(joinSamples([pause(500), speech(4), pause(2_000), speech(2)]));
    expect(typesOf(events)).toEqual(['segment-start', 'piece']);
    const lastEvents = segmenter.commit('commit');
    expect(typesOf(lastEvents)).toEqual(['speech-end', 'piece', 'segment-end']);
    expect(segmenter.openPiece()).toBeNull();
    segmenter.close();
  });

  it('a commit without sound gives an empty segment, the end gives none', async () => {
    const segmenter = await openSegmenter(null);
    expect(typesOf(segmenter.commit('commit'))).toEqual(['speech-end', 'segment-end']);
    expect(segmenter.commit('end')).toEqual([]);
    segmenter.close();
  });
});

it('the open piece grows: each time it begins with what it was before', async () => {
  const segmenter = await openSegmenter(DEFAULT_TURN_DETECTION);
  const samples = joinSamples([pause(500), speech(8)]);
  let before = new Float32Array(0);
  let growths = 0;
  for (let at = 0; at < samples.length; at += 1_600) {
    await segmenter.push(samples.slice(at, at + 1_600));
    const openSamples = segmenter.openPiece()?.samples ?? new Float32Array(0);
    expect(openSamples.slice(0, before.length)).toEqual(before);
    if (openSamples.length > before.length) growths += 1;
    before = openSamples.slice();
  }
  expect(growths).toBeGreaterThan(5);
  segmenter.close();
});

it('what was cleared is in no later piece, and times go on', async () => {
  const segmenter = await openSegmenter(DEFAULT_TURN_DETECTION);
  await segmenter.push(joinSamples([pause(500), speech(4)]));
  expect(segmenter.clear()).toBe(true);
  expect(segmenter.clear()).toBe(false);
  const events = [...(await segmenter.push(joinSamples([speech(4), pause(1_000)]))), ...segmenter.commit('end')];
  const [piece] = piecesOf(events);
  expect(piece?.startMs).toBeGreaterThanOrEqual(500 + 4 * SYLLABLE_MS - 20);
  segmenter.close();
});

it('other settings apply to the next segment', async () => {
  const segmenter = await openSegmenter({ ...DEFAULT_TURN_DETECTION, silenceMs: 300 });
  await segmenter.push(joinSamples([pause(500), speech(4)]));
  segmenter.configure(null);
  expect(typesOf(await segmenter.push(pause(400)))).toEqual(['speech-end', 'piece', 'segment-end', 'segment-start']);
  segmenter.close();
});
