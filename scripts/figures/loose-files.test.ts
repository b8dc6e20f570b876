import { expect, it } from 'vitest';
import { findLargeFiles, findLooseFiles } from './loose-files.ts';

it('counts sources in the folder itself as loose, without tests, data and subfolders', () => {
  const paths = ['server/a.ts', 'server/b.tsx', 'server/a.test.ts', 'server/package.json', 'server/c/d.ts', 'e.ts'];
  expect(findLooseFiles('server', paths).map(({ path }) => path)).toEqual(['server/a.ts', 'server/b.tsx']);
});

it('finds files over a megabyte outside models/ and voices/', () => {
  const files = [
    { path: 'training/a.pt', sizeBytes: 1_000_001 },
    { path: 'training/b.pt', sizeBytes: 1_000_000 },
    { path: 'models/c.onnx', sizeBytes: 2_000_000 },
    { path: 'voices/d.bin', sizeBytes: 2_000_000 },
    { path: 'eval/models/e.onnx', sizeBytes: 2_000_000 },
  ];
  expect(findLargeFiles(files).map(({ path }) => path)).toEqual(['training/a.pt', 'eval/models/e.onnx']);
});
