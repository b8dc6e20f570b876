import { expect, it } from 'vitest';
import { joinMp3 } from './mp3-file.ts';

/** A frame of 24 ms at 64 kbit/s and 24 kHz, as the service writes them. */
function frame(content = ''): number[] {
  return Array.from(Buffer.concat([Buffer.from([0xff, 0xf3, 0x84, 0xc4]), Buffer.from(content)], 192));
}
const FRAME_MS = 24;

const file = (frames: number) =>
  Uint8Array.from([...frame('\0\0\0\0\0\0\0\0\0Info'), ...Array.from({ length: frames }, () => frame()).flat()]);
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer());

it('leaves out the frames that tell the length of each file', async () => {
  const joined = await bytesOf(
    joinMp3([
      { bytes: file(3), title: null },
      { bytes: file(2), title: null },
    ]),
  );
  expect(joined.length).toBe(5 * 192);
});

it('marks parts with titles as chapters', async () => {
  const joined = await bytesOf(
    joinMp3([
      { bytes: file(10), title: null },
      { bytes: file(5), title: '第一章' },
      { bytes: file(20), title: null },
      { bytes: file(5), title: '第二章' },
    ]),
  );
  expect(joined.subarray(0, 6).toString('latin1')).toBe('ID3\u0003\0\0');
  const size = [...joined.subarray(6, 10)].reduce((sum, seven) => sum * 128 + seven, 0);
  expect(joined.length).toBe(10 + size + 40 * 192);
  const times: number[][] = [];
  for (let at = joined.indexOf('CHAP'); at >= 0; at = joined.indexOf('CHAP', at + 1)) {
    const start = joined.indexOf(0, at + 10) + 1;
    times.push([joined.readUInt32BE(start), joined.readUInt32BE(start + 4)]);
  }
  // The first chapter begins with the file.
  expect(times).toEqual([
    [0, 35 * FRAME_MS],
    [35 * FRAME_MS, 40 * FRAME_MS],
  ]);
  for (const title of ['第一章', '第二章']) expect(joined.includes(Buffer.from(title, 'utf16le'))).toBe(true);
});
