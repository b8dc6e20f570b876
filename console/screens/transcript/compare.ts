import type { EditedSegment } from './editor.ts';

/** Stretches of a recording: what was recognized there, and what stands there now. */
export type Block = { recognized: EditedSegment[]; present: EditedSegment[] };

/** Pairs segments whose times overlap, in order; a block holds all that hang together. */
export function blocksOf(recognized: readonly EditedSegment[], present: readonly EditedSegment[]): Block[] {
  const all = [
    ...recognized.map((segment) => ({ segment, side: 'recognized' as const })),
    ...present.map((segment) => ({ segment, side: 'present' as const })),
  ].sort((one, other) => one.segment.start - other.segment.start);
  const blocks: Block[] = [];
  let end = -Infinity;
  for (const { segment, side } of all) {
    if (segment.start >= end) blocks.push({ recognized: [], present: [] });
    blocks.at(-1)?.[side].push(segment);
    end = Math.max(end, segment.end);
  }
  return blocks;
}

const factsOf = (segments: readonly EditedSegment[]) =>
  JSON.stringify(segments.map(({ start, end, text, speaker }) => [start, end, text, speaker]));

export function isChanged({ recognized, present }: Block): boolean {
  return factsOf(recognized) !== factsOf(present);
}

/** The segments with a block as it was recognized; keys stay different from each other. */
export function withRecognized(present: readonly EditedSegment[], block: Block): EditedSegment[] {
  let lastKey = present.reduce((most, { key }) => Math.max(most, key), -1);
  const dropped = new Set(block.present.map(({ key }) => key));
  const returned = block.recognized.map((segment) => ({ ...segment, key: (lastKey += 1) }));
  return [...present.filter(({ key }) => !dropped.has(key)), ...returned].sort((one, other) => one.start - other.start);
}
