import { describe, expect, it } from 'vitest';
import {
  DEFAULT_TURN_DETECTION,
  type LiveEvent,
  type LiveOptions,
  type LiveRequest,
} from '@jyutsing/contracts/live-recognition';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { SpeechCorrection } from '#features/live/live-context.ts';
import { silence } from '#testbed/sound/audio.ts';
import { joinSounds, resample, speak } from '#testbed/sound/espeak-speech.ts';
import { COUNTING_RECOGNIZER } from '#test/http/live-here.ts';
import { recognizeLiveWith } from '#test/live-here.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import type { CorrectLive } from './live-correction.ts';

const never = new AbortController().signal;
const ref = { engine: 'test', model: 'test', version: '1', capabilities: { quality: 1 } };
const models = { romanizer: { ability: 'romanizer', ...ref }, correctors: [{ ability: 'corrector', ...ref }] } as const;
const options: LiveRequest = {
  accountId: 'a',
  models: recognizerModels(recognizerRef('test')),
  context: '一二',
  turnDetection: DEFAULT_TURN_DETECTION,
  correction: models,
};
const renumbered = (segment: Segment) => ({ ...segment, text: segment.text.replaceAll('一', '壹') });

async function sentences(count: number): Promise<Float32Array> {
  const spoken = await speak('hoeng1 gong2 jan4');
  const pause = silence(900, spoken.sampleRateHz);
  const { channels, sampleRateHz } = joinSounds(
    [pause, ...Array.from({ length: count }, () => [spoken, pause]).flat()],
    0,
  );
  return resample(channels[0]!, sampleRateHz, 16_000);
}

/** Speaks sentences into one session. */
async function recognize(correct: CorrectLive, changes: Partial<LiveOptions> = {}, count = 1): Promise<LiveEvent[]> {
  const session = recognizeLiveWith(COUNTING_RECOGNIZER, correct).open({ ...options, ...changes }, never);
  const events = Array.fromAsync(session.events);
  await session.write(await sentences(count));
  session.end();
  return events;
}
const texts = (events: readonly LiveEvent[]) =>
  events.flatMap((event) => (event.type === 'segment-end' ? [event.text] : []));

describe('a session with corrections', () => {
  it('gives the corrected text of each segment, after loading what corrects it', async () => {
    const calls: SpeechCorrection[] = [];
    const correct: CorrectLive = async (call) => {
      calls.push(call);
      return call.piece && renumbered(call.piece.segment);
    };
    const events = await recognize(correct, {}, 2);
    expect(texts(events)).toEqual([expect.stringMatching(/^壹二/), expect.stringMatching(/^壹二/)]);
    expect(calls.map(({ piece }) => piece === null)).toEqual([true, false, false]);
    expect(calls[1]).toMatchObject({
      models,
      context: '一二',
      piece: { segment: { startMs: expect.any(Number) as number } },
    });
    // The piece has the sound that its text was recognized in.
    const { piece } = calls[1]!;
    expect(piece!.samples.length / 16).toBeGreaterThanOrEqual(piece!.segment.endMs);
    const [first] = events.filter((event) => event.type === 'segment-end');
    expect(first!.words.length).toBeGreaterThan(0);
    expect(first!.startMs).toBeGreaterThan(500);
  });

  it('gives the text as recognized when nothing is corrected', async () => {
    expect(texts(await recognize(async () => null))).toEqual([expect.stringMatching(/^一二/)]);
  });

  it.each([
    ['another language', { models: { recognizers: { english: recognizerRef('test') }, languageIdentifier: null } }],
    ['no correctors', { correction: null }],
  ])('asks for none with %s', async (_name, changes) => {
    const pieces: unknown[] = [];
    const correct: CorrectLive = async ({ piece }) => {
      if (piece !== null) pieces.push(piece);
      return null;
    };
    expect(texts(await recognize(correct, changes))).toHaveLength(1);
    expect(pieces).toEqual([]);
  });

  it('keeps the order of its events, and takes sound, while a correction runs', async () => {
    const requested = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<null>();
    let pieces = 0;
    const correct: CorrectLive = async ({ piece }) => {
      if (piece === null) return null;
      pieces += 1;
      if (pieces > 1) return renumbered(piece.segment);
      requested.resolve();
      return answer.promise;
    };
    const session = recognizeLiveWith(COUNTING_RECOGNIZER, correct).open(options, never);
    const events = Array.fromAsync(session.events);
    await session.write(await sentences(3));
    await requested.promise;
    answer.resolve(null);
    session.end();
    const all = await events;
    expect(texts(all)).toEqual([
      expect.stringMatching(/^一/),
      expect.stringMatching(/^壹/),
      expect.stringMatching(/^壹/),
    ]);
    const results = all.filter((event) => event.type === 'segment-end' || event.type === 'segment-delta');
    expect(results.map(({ segment }) => segment)).toEqual(results.map(({ segment }) => segment).toSorted());
  });

  it('ends at once when it is aborted during a correction that never ends', async () => {
    const requested = Promise.withResolvers<void>();
    const correct: CorrectLive = ({ piece }) => {
      if (piece !== null) requested.resolve();
      return new Promise(() => {});
    };
    const live = recognizeLiveWith(COUNTING_RECOGNIZER, correct);
    const stop = new AbortController();
    const session = live.open(options, stop.signal);
    const events = Array.fromAsync(session.events);
    events.catch(() => {});
    await session.write(await sentences(1));
    await requested.promise;
    stop.abort(new Error('gone'));
    await expect(events).rejects.toThrow('gone');
    await expect.poll(() => live.count()).toBe(0);
  });
});
