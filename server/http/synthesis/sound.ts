import { describeFormat, type SpeechFormat } from '@jyutsing/audio/encoding/speech-formats';
import { toInt16Bytes } from '@jyutsing/audio/encoding/sample-values';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';

/** The sound of the events alone. */
export async function* soundOf(events: AsyncIterable<SynthesisEvent>): AsyncGenerator<Float32Array<ArrayBuffer>> {
  for await (const event of events) if (event.type === 'audio') yield event.samples;
}

/** The sound of the events alone, as signed 16-bit little-endian PCM. */
export async function* pcm16Of(events: AsyncIterable<SynthesisEvent>): AsyncGenerator<Buffer> {
  for await (const samples of soundOf(events)) yield toInt16Bytes(samples);
}

/** The headers of an answer that is a file of that format. */
export function mediaHeaders(format: SpeechFormat): { 'Content-Type': string; 'Content-Disposition': string } {
  const { mediaType, extension } = describeFormat(format);
  return { 'Content-Type': mediaType, 'Content-Disposition': `attachment; filename="speech${extension}"` };
}
