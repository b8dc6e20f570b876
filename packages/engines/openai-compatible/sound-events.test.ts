import { describe, expect, it } from 'vitest';
import { toEvents } from './sound-events.ts';
import type { ServerSound } from './speech-client.ts';

const RATE_HZ = 24_000;
const seconds = (value: number, level = 0): Float32Array => new Float32Array(value * RATE_HZ).fill(level);

/** Returns the contents of the events of a server's chunks, or the error that ends them. */
async function eventsOf(chunks: readonly Float32Array[], request: { characters?: number; speed?: number } = {}) {
  const { characters = 10, speed = 1 } = request;
  async function* sound(): AsyncGenerator<ServerSound> {
    for (const samples of chunks) yield { samples, sampleRateHz: RATE_HZ, tempo: 1 } as ServerSound;
  }
  const events: Float32Array[] = [];
  let cause: unknown = null;
  try {
    for await (const event of toEvents(sound(), { characters, speed })) events.push(event);
  } catch (thrown) {
    cause = (thrown as Error).cause;
  }
  return { events, cause, samples: events.reduce((sum, { length }) => sum + length, 0) };
}

describe('the audio of a server', () => {
  it('comes in chunks of a quarter of a second at most, complete and in order', async () => {
    const ramp = Float32Array.from({ length: 20_000 }, (_, index) => 0.1 + index / 40_000);
    const { events, cause } = await eventsOf([ramp.subarray(0, 7), ramp.subarray(7, 15_000), ramp.subarray(15_000)]);
    expect(cause).toBeNull();
    expect(Math.max(...events.map(({ length }) => length))).toBe(6_000);
    expect(Float32Array.from(events.flatMap((event) => [...event]))).toEqual(ramp);
  });

  it('keeps its silence, at the beginning together with the first sound', async () => {
    const { events, samples } = await eventsOf([seconds(1), seconds(1), seconds(0.1, 0.5), seconds(2)]);
    expect(samples).toBe(98_400);
    expect(events[0]!.every((sample) => sample === 0)).toBe(true);
  });

  it('sends nothing while all is silence, so that a refusal still has its status', async () => {
    const { events, cause } = await eventsOf([seconds(3), seconds(3)]);
    expect([events, cause]).toEqual([[], 'the audio is silent']);
    expect((await eventsOf([])).cause).toBe('the audio is silent');
  });

  it.each([
    [1 / 32_768, 'the audio is silent'],
    [2 / 32_768, null],
    [-2 / 32_768, null],
  ])('of the level %d is silence: %s', async (level, expected) => {
    expect((await eventsOf([seconds(1, level)])).cause).toBe(expected);
  });

  it('ends where more than ten seconds are silent', async () => {
    const long = await eventsOf([seconds(0.1, 0.5), seconds(10), seconds(0.001)]);
    expect(long.cause).toBe('the audio has a long silence');
    expect((await eventsOf([seconds(0.1, 0.5), seconds(10), seconds(0.1, 0.5)])).cause).toBeNull();
    expect((await eventsOf([seconds(10.001)])).cause).toBe('the audio has a long silence');
  });

  it.each([
    // The limit is 20 s, and 1.5 s for each character.
    [10, 1, 35],
    [0, 1, 20],
    [10, 0.5, 70],
    // Faster speech may have equally long pauses.
    [10, 2, 35],
  ])('of %i characters at speed %d has %i seconds at most', async (characters, speed, maxSeconds) => {
    const chunks = Array.from({ length: maxSeconds }, () => seconds(1, 0.1));
    expect((await eventsOf(chunks, { characters, speed })).cause).toBeNull();
    const { cause } = await eventsOf([...chunks, seconds(0.001, 0.1)], { characters, speed });
    expect(cause).toBe('the audio is too long for the text');
  });
});
