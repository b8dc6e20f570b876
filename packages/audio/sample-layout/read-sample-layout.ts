import { openBytes, type FilePart } from '#audio/file-bytes.ts';
import type { AudioContainer } from '@jyutsing/contracts/audio';
import { readAiffLayout } from './aiff-layout.ts';
import { readCafLayout } from './caf-layout.ts';
import { readMovLayout } from './mov-layout.ts';
import type { ReadLayout, SampleLayout } from './sample-layout.ts';
import { readWavLayout } from './wav-layout.ts';

const READERS: Partial<Record<AudioContainer, ReadLayout>> = {
  wav: readWavLayout,
  w64: readWavLayout,
  aiff: readAiffLayout,
  caf: readCafLayout,
  m4a: readMovLayout,
};

/**
 * Reads how the header of a file lays out its samples; null when they are compressed, or the
 * container is another. FFmpeg 8.1 takes their size from the bits that are used, which may be fewer
 * than those that a sample occupies.
 */
export async function readSampleLayout(part: FilePart, container: AudioContainer): Promise<SampleLayout | null> {
  const readLayout = READERS[container];
  if (readLayout === undefined) return null;
  using file = openBytes(part);
  return await readLayout(file);
}
