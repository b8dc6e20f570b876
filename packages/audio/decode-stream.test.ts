import { AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeSync, encoding, tones, writeSound, type FixtureFormat, type Sound } from '#testbed/sound/audio.ts';
import { opusPackets } from '#test/opus-packets.ts';
import { decodeStream, type StreamFormat } from './decode-stream.ts';

const SECONDS = 4;
const IN_CONTAINER: StreamFormat = { encoding: 'container' };
const never = new AbortController().signal;

let folder = '';
let sound: Sound;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decode-stream-'));
  sound = tones([{ frequencyHz: 440, durationMs: SECONDS * 1_000 }], 48_000);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileOf(format: FixtureFormat): Promise<Buffer> {
  const path = join(folder, format);
  await writeSound(path, sound, format);
  return readFile(path);
}

/** Decodes messages; `before` is the share of the messages that was needed for the first sound. */
async function decode(messages: readonly Uint8Array[], format = IN_CONTAINER, signal = never) {
  let sentCount = 0;
  async function* source() {
    for (const message of messages) {
      sentCount += 1;
      yield message;
    }
  }
  const samples: number[] = [];
  let before = 1;
  for await (const chunk of decodeStream(source(), format, { sampleRateHz: 16_000, signal })) {
    if (samples.length === 0) before = sentCount / messages.length;
    samples.push(...chunk);
  }
  return { seconds: samples.length / 16_000, before, level: Math.hypot(...samples) / Math.sqrt(samples.length) };
}
const cut = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

describe('a stream in a container', () => {
  it.each(['webm', 'webm-live', 'ogg-opus', 'ogg-vorbis', 'wav', 'mp3', 'flac', 'aac'] as const)(
    '%s is decoded while it arrives',
    async (format) => {
      const bytes = await fileOf(format);
      const { seconds, before, level } = await decode(cut(bytes, Math.ceil(bytes.length / 100)));
      expect(seconds).toBeCloseTo(SECONDS, 1);
      expect(before).toBeLessThan(0.6);
      // The expected level is the RMS of the tone.
      expect(level).toBeCloseTo(0.5 / Math.SQRT2, 1);
    },
  );

  it.each(['webm-live', 'mp3'] as const)('%s may come byte by byte, with empty messages between', async (format) => {
    const bytes = await fileOf(format);
    const messages = cut(bytes, 1).flatMap((byte) => [byte, new Uint8Array(0)]);
    expect((await decode(messages)).seconds).toBeCloseTo(SECONDS, 1);
  });

  it('with a gap has silence of its length', async () => {
    const path = join(folder, 'gap.webm');
    encodeSync(path, sound, {
      ...encoding('webm', 'libopus', AV_SAMPLE_FMT_S16, { live: '1' }),
      retime: (startMs) => startMs + (startMs < 2_000 ? 0 : 3_000),
    });
    const { seconds, level } = await decode(cut(await readFile(path), 1_000));
    expect(seconds).toBeCloseTo(SECONDS + 3, 1);
    expect(level).toBeCloseTo(0.5 / Math.SQRT2 / Math.sqrt((SECONDS + 3) / SECONDS), 1);
  });

  it('that breaks off gives what it had', async () => {
    const bytes = await fileOf('webm-live');
    const { seconds } = await decode([bytes.subarray(0, bytes.length / 2)]);
    expect(seconds).toBeGreaterThan(SECONDS / 2 - 0.3);
    expect(seconds).toBeLessThan(SECONDS / 2 + 0.3);
  });

  it('that needs its end first is refused, and so is what is no sound', async () => {
    await expect(decode([await fileOf('m4a')])).rejects.toMatchObject({ code: 'unsupported_audio_format' });
    await expect(decode([Buffer.from('#EXTM3U\nfile:///etc/passwd\n')])).rejects.toMatchObject({
      code: 'unsupported_audio_format',
      message: expect.stringContaining('text') as string,
    });
    await expect(decode([Buffer.alloc(1e6)])).rejects.toMatchObject({ code: 'unsupported_audio_format' });
    await expect(decode([])).rejects.toMatchObject({ code: 'unsupported_audio_format' });
    await expect(decode([Buffer.from('#EXTM3U\n'.repeat(9))])).rejects.toThrow(
      'The sound is text; send webm, ogg, wav, mp3, flac, aac, or samples with "encoding".',
    );
  });

  it.each([0, 3_000])('ends with the reason of a signal, after %i bytes', async (size) => {
    const bytes = await fileOf('webm-live');
    const stop = new AbortController();
    async function* source() {
      yield bytes.subarray(0, size);
      setImmediate(() => stop.abort(new Error('enough')));
      await new Promise(() => {});
    }
    const read = async () => {
      for await (const _ of decodeStream(source(), IN_CONTAINER, { sampleRateHz: 16_000, signal: stop.signal }));
    };
    await expect(read()).rejects.toThrow('enough');
  });
});

async function* endlessGarbage() {
  for (;;) yield Buffer.alloc(100, 0xff);
}

describe('packets of Opus', () => {
  it('are decoded one by one', async () => {
    const { seconds, before, level } = await decode(opusPackets(sound), { encoding: 'opus', channels: 1 });
    expect(seconds).toBeCloseTo(SECONDS, 1);
    expect(before).toBeLessThan(0.1);
    expect(level).toBeCloseTo(0.5 / Math.SQRT2, 1);
  });

  it('of which one is damaged are decoded but for it, and others are refused', async () => {
    const packets = opusPackets(sound);
    const damaged = packets.with(50, Buffer.alloc(5_000, 0xff));
    expect((await decode(damaged, { encoding: 'opus', channels: 1 })).seconds).toBeCloseTo(SECONDS, 1);
    const garbage = Array.from({ length: 50 }, () => Buffer.alloc(5_000, 0xff));
    await expect(decode(garbage, { encoding: 'opus', channels: 2 })).rejects.toMatchObject({ code: 'corrupt_audio' });
  });

  it('are refused before the end of a stream that never has sound', async () => {
    const format = { encoding: 'opus', channels: 1 } as const;
    const read = async () => {
      for await (const _ of decodeStream(endlessGarbage(), format, { sampleRateHz: 16_000, signal: never }));
    };
    await expect(read()).rejects.toMatchObject({ code: 'corrupt_audio' });
  });
});
