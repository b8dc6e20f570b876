import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { asDiskFull, neededBytes, requireSpace } from './disk-space.ts';
import { formatBytes } from './format-bytes.ts';

describe('a size in words', () => {
  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_000, '1.0 kB'],
    [9_949, '9.9 kB'],
    [128_400_000, '128 MB'],
    [999_499_999, '999 MB'],
    [999_500_000, '1.0 GB'],
    [1_640_000_000, '1.6 GB'],
    [2.5e15, '2500 TB'],
  ])('%d is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('the space of an installation', () => {
  it('is the download, and the files beside it while an archive is unpacked', () => {
    expect(neededBytes(100, 'none')).toBe(100);
    expect(neededBytes(100, 'tar.bz2')).toBe(260);
  });

  it('leaves what the service keeps free for its work', async () => {
    const { bavail, bsize } = await statfs(tmpdir());
    const reserveBytes = 512 * 1024 ** 2;
    await expect(requireSpace(tmpdir(), bavail * bsize - reserveBytes)).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });

  it('is there for a small file, and missing for one larger than any disk', async () => {
    await requireSpace(tmpdir(), -600 * 1024 ** 2);
    await expect(requireSpace(tmpdir(), 1e18)).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringMatching(
        /MODELS_DIR is too full: this needs 1000000 TB, \d+ TB more than is free\.$/,
      ) as string,
    });
  });
});

it.each([
  ['ENOSPC', 'payload_too_large'],
  ['EDQUOT', 'payload_too_large'],
  ['EACCES', undefined],
])('the error %s of a file system becomes %s', (code, expected) => {
  const thrown = Object.assign(new Error('write /srv/models'), { code });
  const error = asDiskFull(thrown);
  expect(error?.code).toBe(expected);
  expect(error?.message ?? '').not.toContain('/srv');
});

it.each([undefined, null, 'ENOSPC', { code: 'ENOSPC' }])('%j is no full disk', (thrown) => {
  expect(asDiskFull(thrown)).toBeNull();
});
