import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { createZipArchive } from './zip-archive.ts';

/** Bytes that no compression makes shorter. */
const bytes = Buffer.concat(
  Array.from({ length: 32_768 }, (_, at) => createHash('sha256').update(String(at)).digest()),
);

it('an archive has all files, empty ones too, and the names of any script', async () => {
  const archive = createZipArchive(0);
  await archive.add('例會.txt', '早晨');
  await archive.add('empty', '');
  await archive.add('__proto__.txt', bytes);
  const files = Object.entries(unzipSync(archive.end())).map(([name, content]) => [name, Buffer.from(content)]);
  expect(files).toEqual([
    ['例會.txt', Buffer.from('早晨')],
    ['empty', Buffer.from('')],
    ['__proto__.txt', bytes],
  ]);
});

it('an archive that would take too much memory is refused', async () => {
  const archive = createZipArchive(0, 2 * 1_048_576);
  await archive.add('1', bytes);
  const second = archive.add('2', Buffer.concat([bytes, bytes]));
  await expect(second).rejects.toMatchObject({ code: 'payload_too_large', message: expect.stringContaining('2 MB') });
});
