import type { Segment } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription } from '@jyutsing/contracts/transcription';
import { channelOfSpeaker, nameOfChannel } from './channel-speakers.ts';
import { speakerLabels } from './format.ts';

/** Which text of a transcription is shown. */
export type TextChoice = {
  /** `raw`: as recognized, before the correction of homophones. */
  text: 'final' | 'raw';
  /** `original`: without what people corrected. */
  version: 'edited' | 'original';
};

/**
 * A transcript whose speakers are labels; `names` has those that people
 * named, and channels.
 */
export type ShownTranscript = { segments: readonly Segment[]; names: ReadonlyMap<string, string> };

/** The text that a choice means: corrected by people, else by fusion, else as recognized. */
export function shownTranscript(
  { result, edit }: Pick<CompletedTranscription, 'result' | 'edit'>,
  { text, version }: TextChoice,
): ShownTranscript {
  const unlabeled = text === 'raw' ? result.segments : (result.fusion?.segments ?? result.segments);
  const labels = speakerLabels(unlabeled);
  const segments = withLabels(unlabeled, labels);
  const names = channelNames(labels);
  if (edit === null || text === 'raw' || version === 'original') return { segments, names };
  return { segments: edit.segments ?? segments, names: new Map([...names, ...Object.entries(edit.speakers)]) };
}

/** The names, by label, of speakers that are channels. */
function channelNames(labels: ReadonlyMap<string, string>): Map<string, string> {
  const names = new Map<string, string>();
  for (const [speaker, label] of labels) {
    const channel = channelOfSpeaker(speaker);
    if (channel !== null) names.set(label, nameOfChannel(channel));
  }
  return names;
}

/** Every speaker by the label `SPEAKER_<nn>`. */
function withLabels(segments: readonly Segment[], labels: ReadonlyMap<string, string>): Segment[] {
  return segments.map((segment) => ({
    ...segment,
    speaker: segment.speaker === null ? null : (labels.get(segment.speaker) ?? null),
  }));
}
