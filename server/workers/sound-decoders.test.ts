import { describe, expect, it } from 'vitest';
import { createChannel } from '@jyutsing/concurrency/channel';
import { AppError } from '@jyutsing/contracts/errors';
import { tones } from '#testbed/sound/audio.ts';
import { decodeHere } from '#test/decode-here.ts';
import { opusPackets } from '#test/opus-packets.ts';
import type { DecodeMessage, DecodeReport } from './decode-messages.ts';
import { createSoundDecoders, type SoundDecoder } from './sound-decoders.ts';

const OPUS = { encoding: 'opus', channels: 1 } as const;
const never = new AbortController().signal;
const packets = opusPackets(tones([{ frequencyHz: 440, durationMs: 1_000 }], 48_000));

async function secondsOf({ sound }: SoundDecoder): Promise<number> {
  let samples = 0;
  for await (const piece of sound) samples += piece.length;
  return samples / 16_000;
}

/** Decoders whose process is played by the test. */
function decodersWith(maxStreams = 1) {
  const reports = createChannel<DecodeReport>();
  const sent: DecodeMessage[] = [];
  const connection = { send: (message: unknown) => void sent.push(message as DecodeMessage), events: reports };
  const decoders = createSoundDecoders({ connect: async () => connection as never }, maxStreams);
  return { decoders, reports, sent };
}

describe('a decoder', () => {
  it('gives the sound of what is written, and ends after it', async () => {
    const decoder = decodeHere().open(OPUS, 'a', never);
    const seconds = secondsOf(decoder);
    for (const packet of packets) await decoder.write(packet);
    decoder.end();
    expect(await seconds).toBeCloseTo(1, 1);
  });

  it('is settled when the sound of all that was written was read', async () => {
    const decoder = decodeHere().open(OPUS, 'a', never);
    let samples = 0;
    const read = async () => {
      for await (const piece of decoder.sound) samples += piece.length;
    };
    const reading = read();
    for (const packet of packets) await decoder.write(packet);
    await decoder.settled();
    // But for less than one piece.
    expect(samples / 16_000).toBeGreaterThan(0.9);
    decoder.end();
    await reading;
  });

  it('takes no more than a part of a stream that is not decoded', async () => {
    const { decoders, reports, sent } = decodersWith();
    const decoder = decoders.open({ encoding: 'container' }, 'a', never);
    const reading = secondsOf(decoder);
    let isWritten = false;
    const writing = decoder.write(new Uint8Array(1024 ** 2)).then(() => (isWritten = true));
    const sentBytes = () => sent.reduce((sum, message) => sum + message.length, 0);
    await expect.poll(sentBytes).toBe(320 * 1024);
    expect(isWritten).toBe(false);
    for (let taken = 0; taken < 16; taken += 1) reports.push({ type: 'taken', bytes: 64 * 1024 });
    await writing;
    expect(sentBytes()).toBe(1024 ** 2);
    reports.close();
    await reading;
  });

  it('whose process dies fails, and a writer that waits goes on', async () => {
    const { decoders, reports } = decodersWith();
    const decoder = decoders.open({ encoding: 'container' }, 'a', never);
    const reading = secondsOf(decoder);
    const writing = decoder.write(new Uint8Array(1024 ** 2));
    reports.fail(new AppError('engine_failed'));
    await expect(reading).rejects.toMatchObject({ code: 'engine_failed' });
    await writing;
    await decoder.settled();
  });

  it('that is aborted lets its writer go', async () => {
    const { decoders } = decodersWith();
    const stop = new AbortController();
    const decoder = decoders.open({ encoding: 'container' }, 'a', stop.signal);
    const writing = decoder.write(new Uint8Array(1024 ** 2));
    stop.abort();
    await expect(writing).resolves.toBeUndefined();
  });
});

it('there are so many decoders at a time, and another when one has ended', async () => {
  const decoders = decodeHere(2);
  const [first, second] = [decoders.open(OPUS, 'a', never), decoders.open(OPUS, 'b', never)];
  const reading = [secondsOf(first), secondsOf(second)];
  const third = decoders.open(OPUS, 'a', never);
  await expect(secondsOf(third)).rejects.toMatchObject({ code: 'service_unavailable' });
  await third.write(packets[0]!);
  first.end();
  await reading[0];
  const fourth = decoders.open(OPUS, 'a', never);
  const seconds = secondsOf(fourth);
  await fourth.write(packets[0]!);
  fourth.end();
  await seconds;
  second.end();
  await reading[1];
});

it('an account has at most half of the decoders', async () => {
  const decoders = decodeHere(4);
  const open = [decoders.open(OPUS, 'a', never), decoders.open(OPUS, 'a', never)];
  await expect(secondsOf(decoders.open(OPUS, 'a', never))).rejects.toMatchObject({ code: 'service_unavailable' });
  open.push(decoders.open(OPUS, 'b', never));
  const reading = open.map(secondsOf);
  for (const decoder of open) {
    await decoder.write(packets[0]!);
    decoder.end();
  }
  await Promise.all(reading);
  const again = decoders.open(OPUS, 'a', never);
  again.end();
  expect(await secondsOf(again)).toBe(0);
});
