import assert from 'node:assert/strict';
import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { Diarizer, SpeakerRange } from '@jyutsing/contracts/diarizer';

const RANGES: readonly SpeakerRange[] = [
  { min: 1, max: 1 },
  { min: 2, max: 2 },
  { min: 3, max: 3 },
  { min: 1, max: 2 },
  { min: 3, max: 4 },
];

/**
 * The turns of a conversation have as many speakers as the request says. `conversation`: at least
 * 15 s of speech, which suffices for each of these numbers.
 */
export async function checkSpeakerRange(
  diarizer: Diarizer,
  conversation: () => AsyncIterable<PcmChunk>,
): Promise<void> {
  for (const speakers of RANGES) {
    const count = await countSpeakers(diarizer, conversation(), speakers);
    assert.ok(
      count >= speakers.min && count <= speakers.max,
      `${count} speakers, where ${speakers.min} to ${speakers.max} were wanted`,
    );
  }
}

async function countSpeakers(diarizer: Diarizer, audio: AsyncIterable<PcmChunk>, speakers: SpeakerRange) {
  const found = new Set<number>();
  for await (const event of diarizer.diarize(audio, new AbortController().signal, { speakers })) {
    if (event.type === 'turns') for (const { speaker } of event.turns) found.add(speaker);
  }
  return found.size;
}
