import type { Segment } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription } from '@jyutsing/contracts/transcription';
import { speakerLabels } from './format.ts';

/** Which text of a transcription is shown. */
export type TextChoice = {
  /** `raw`: as recognized, before the correction of homophones. */
  text: 'final' | 'raw';
  /** `original`: without what people corrected. */
  version: 'edited' | 'original';
};

/** A transcript whose speakers are labels; `names` has those that people named. */
export type ShownTranscript = { segments: readonly Segment[]; names: ReadonlyMap<string, string> };

/** The text that a choice means: corrected by people, else by fusion, else as recognized. */
export function shownTranscript(
  { result, edit }: Pick<CompletedTranscription, 'result' | 'edit'>,
  { text, version }: TextChoice,
): ShownTranscript {
  const recognized = withLabels(text === 'raw' ? result.segments : (result.fusion?.segments ?? result.segments));
  if (edit === null || text === 'raw' || version === 'original') return { segments: recognized, names: new Map() };
  return { segments: edit.segments ?? recognized, names: new Map(Object.entries(edit.speakers)) };
}

/** Every speaker by the label `SPEAKER_<nn>`. */
function withLabels(segments: readonly Segment[]): Segment[] {
  const labels = speakerLabels(segments);
  return segments.map((segment) => ({
    ...segment,
    speaker: segment.speaker === null ? null : (labels.get(segment.speaker) ?? null),
  }));
}
