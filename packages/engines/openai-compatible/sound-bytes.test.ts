import { describe, expect, it } from 'vitest';
import { createSoundReader } from './sound-bytes.ts';

function chunk(name: string, content: Buffer, size = content.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(size, 4);
  return Buffer.concat([head, content]);
}

/** Builds a WAV file. */
function wav(options: {
  tag?: number;
  channels?: number;
  rate?: number;
  bits?: number;
  data: Buffer;
  declared?: number;
  before?: Buffer;
  after?: Buffer;
}): Buffer {
  const { tag = 1, channels = 1, rate = 24_000, bits = 16, data, declared = data.length } = options;
  const isExtended = tag === 0xfffe;
  const format = Buffer.alloc(isExtended ? 40 : 16);
  format.writeUInt16LE(tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt16LE(bits, 14);
  if (isExtended) format.writeUInt16LE(1, 24);
  return Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'),
    options.before ?? Buffer.alloc(0),
    chunk('fmt ', format),
    chunk('data', data, declared),
    options.after ?? Buffer.alloc(0),
  ]);
}

function read(body: Uint8Array, cut: number, type: string | null = null): { samples: number[]; rateHz: number } {
  const reader = createSoundReader(type, 24_000);
  const samples: number[] = [];
  for (let at = 0; at < body.length; at += cut) samples.push(...reader.push(body.subarray(at, at + cut)));
  samples.push(...reader.end());
  return { samples: samples.map((sample) => Math.round(sample * 1_000) / 1_000), rateHz: reader.sampleRateHz() };
}

const int16 = (...values: number[]) => Buffer.from(Int16Array.from(values).buffer);
const HALVES = [0.5, -0.5, 0.25, -1];
const HALVES_16 = int16(16_384, -16_384, 8_192, -32_768);

describe.each([1, 3, 5, 7, 1_000])('in chunks of %i bytes', (cut) => {
  it.each<[string, Buffer, number]>([
    ['raw samples', HALVES_16, 24_000],
    ['16 bits', wav({ data: HALVES_16, rate: 16_000 }), 16_000],
    ['8 bits', wav({ data: Buffer.from([192, 64, 160, 0]), bits: 8 }), 24_000],
    ['24 bits', wav({ data: Buffer.from([0, 0, 64, 0, 0, 192, 0, 0, 32, 0, 0, 128]), bits: 24 }), 24_000],
    ['32 bits', wav({ data: Buffer.from(Int32Array.from(HALVES, (x) => x * 2 ** 31).buffer), bits: 32 }), 24_000],
    ['floats', wav({ tag: 3, data: Buffer.from(Float32Array.from(HALVES).buffer), bits: 32, rate: 48_000 }), 48_000],
    ['doubles', wav({ tag: 3, data: Buffer.from(Float64Array.from(HALVES).buffer), bits: 64 }), 24_000],
    ['an extensible header', wav({ tag: 0xfffe, data: HALVES_16 }), 24_000],
    ['two channels', wav({ channels: 2, data: int16(32_767, 0, -32_768, 0, 8_192, 8_192, -32_768, -32_768) }), 24_000],
    ['an unknown length', wav({ data: HALVES_16, declared: 0xffff_ffff }), 24_000],
    ['a length of 0', wav({ data: HALVES_16, declared: 0 }), 24_000],
    [
      'metadata before the audio',
      wav({ data: HALVES_16, before: Buffer.from('LIST\x03\0\0\0abc\0', 'latin1') }),
      24_000,
    ],
    ['metadata after the audio', wav({ data: HALVES_16, after: Buffer.from('LIST\x04\0\0\0abcd', 'latin1') }), 24_000],
  ])('%s', (_name, body, rateHz) => {
    expect(read(body, cut)).toEqual({ samples: HALVES, rateHz });
  });

  it('floats are clipped to full scale, and NaN becomes silence', () => {
    const data = Buffer.from(Float32Array.from([4, -4, NaN, Infinity, 0.5]).buffer);
    expect(read(wav({ tag: 3, bits: 32, data }), cut).samples).toEqual([1, -1, 0, 1, 0.5]);
  });

  it('an incomplete sample at the end is dropped', () => {
    expect(read(Buffer.concat([HALVES_16, Buffer.from([7])]), cut).samples).toEqual(HALVES);
  });

  it('missing audio is an error when the length is declared', () => {
    expect(() => read(wav({ data: HALVES_16, declared: 10 }), cut)).toThrow(
      expect.objectContaining({ code: 'service_unavailable' }),
    );
  });

  it.each<[string, Buffer]>([
    ['JSON', Buffer.from('{"error": "no"}')],
    ['a JSON list', Buffer.from('[{"msg": "no"}]')],
    ['HTML', Buffer.from('\n<!DOCTYPE html><html>')],
    ['Ogg', Buffer.from('OggS\0\0\0\0\0\0\0\0\0')],
    ['FLAC', Buffer.from('fLaC\0\0\0\0\0\0\0\0\0')],
    ['µ-law', wav({ tag: 7, bits: 8, data: Buffer.alloc(9) })],
    ['twelve bits', wav({ bits: 12, data: Buffer.alloc(9) })],
    ['no channels', wav({ channels: 0, data: Buffer.alloc(9) })],
    ['ninety channels', wav({ channels: 90, data: Buffer.alloc(9) })],
    ['a sample rate of 0', wav({ rate: 0, data: Buffer.alloc(9) })],
    ['audio before the format', Buffer.from('RIFF\0\0\0\0WAVEdata\x04\0\0\0abcd', 'latin1')],
  ])('%s is refused', (_name, body) => {
    expect(() => read(body, cut)).toThrow(expect.objectContaining({ code: 'engine_failed' }));
  });
});

it.each(['application/json', 'application/problem+json; charset=utf-8', 'text/html', 'text/event-stream'])(
  'content type %s is refused',
  (type) => {
    expect(() => createSoundReader(type, 24_000)).toThrow(expect.objectContaining({ code: 'engine_failed' }));
  },
);

it('corrupted files give samples or an error', () => {
  let state = 7;
  for (let turn = 0; turn < 2_000; turn += 1) {
    const body = wav({ data: HALVES_16 });
    for (let flips = 0; flips < 3; flips += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      body[state % body.length] = state >>> 24;
    }
    let outcome = 'sound';
    try {
      const { samples } = read(body, 1 + (turn % 9));
      expect(samples.every((sample) => sample >= -1 && sample <= 1)).toBe(true);
    } catch (thrown) {
      outcome = String((thrown as { code?: unknown }).code);
    }
    expect(['sound', 'engine_failed', 'service_unavailable']).toContain(outcome);
  }
});
