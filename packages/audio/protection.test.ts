import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tones, writeSound, type FixtureFormat } from '#testbed/sound/audio.ts';
import { probeAudio } from './probe.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'protection-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a file, changes it, and returns what a probe answers. */
async function answer(format: FixtureFormat, change: (bytes: Buffer) => Buffer): Promise<string> {
  const path = join(folder, format);
  await writeSound(path, tones([{ frequencyHz: 440, durationMs: 500 }]), format);
  await writeFile(path, change(await readFile(path)));
  return probeAudio(path, { maxDurationMs: 60_000 }).then(() => 'accepted', String);
}

function put(name: string, at: (bytes: Buffer) => number) {
  return (bytes: Buffer) => {
    bytes.write(name, at(bytes), 'latin1');
    return bytes;
  };
}

/** Adds an object to the header of a Windows Media file, whose size and count stand in front. */
function withAsfObject(id: string) {
  return (bytes: Buffer) => {
    const object = Buffer.alloc(40);
    object.write(id, 'hex');
    object.writeBigUInt64LE(BigInt(object.length), 16);
    bytes.writeBigUInt64LE(bytes.readBigUInt64LE(16) + BigInt(object.length), 16);
    bytes.writeUInt32LE(bytes.readUInt32LE(24) + 1, 24);
    return Buffer.concat([bytes.subarray(0, 30), object, bytes.subarray(30)]);
  };
}

/** Returns the offset of the name of the only track's description. */
function inEntry(bytes: Buffer): number {
  return bytes.lastIndexOf('mp4a', bytes.indexOf('esds'));
}

it('encrypted sound is refused as protected, and similar files are not', async () => {
  const refused = 'AppError: The sound is protected against copying (DRM); send ';
  const found = {
    apple: await answer('m4a', put('drms', inEntry)),
    'index first': await answer('m4a-index-first', put('enca', inEntry)),
    audible: await answer(
      'm4a',
      put('aax ', () => 8),
    ),
    'windows media': await answer('wma', withAsfObject('fbb3112223bdd211b4b700a0c955fc6e')),
    'the word elsewhere': await answer(
      'm4a',
      put('enca', (bytes) => bytes.indexOf('mdat') + 40),
    ),
    'another object': await answer('wma', withAsfObject('0102030405060708090a0b0c0d0e0f10')),
  };
  for (const name of ['apple', 'index first', 'audible', 'windows media'] as const) {
    expect(`${name}: ${found[name].slice(0, refused.length)}`).toBe(`${name}: ${refused}`);
  }
  expect(found['the word elsewhere']).toBe('accepted');
  expect(found['another object']).toMatch(/accepted|cut off/);
});
