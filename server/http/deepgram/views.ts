import { z } from 'zod';
import { mean } from '@jyutsing/numeric/statistics';
import type { Segment, Word } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription } from '@jyutsing/contracts/transcription';
import { channelOfSpeaker } from '#features/transcription/channel-speakers.ts';
import { formatPlain, speakerLabels } from '#features/transcription/format.ts';
import { LANGUAGE_CODES } from '#http/openai-transcriptions/language-code.ts';
import { noteFields, notesOf } from '#http/recording-notes.ts';
import { finalSegments } from '#http/transcription/record-view.ts';
import { ParagraphsView, viewParagraphs } from './paragraphs.ts';
import { punctuatedWords } from '#http/transcription/punctuated-words.ts';
import type { RecordingQuery } from './query.ts';

const seconds = z.number().min(0);
const share = z.number().min(0).max(1).describe('0 where the model reports none.');
const speaker = z.int().min(0).optional().describe('With `diarize`; from 0 on.');
const channel = z.int().min(0).describe('From 0 on; always 0 without `multichannel`.');

const WordView = z.object({
  word: z.string(),
  punctuated_word: z.string(),
  start: seconds,
  end: seconds,
  confidence: share,
  speaker,
});

const UtteranceView = z.object({
  id: z.string(),
  start: seconds,
  end: seconds,
  confidence: share,
  channel,
  transcript: z.string(),
  words: z.array(WordView),
  speaker,
});

/** The answer to a recording, as Deepgram's clients read it. */
export const RecordingAnswer = z
  .object({
    metadata: z.looseObject({
      request_id: z.string(),
      sha256: z.string(),
      created: z.string(),
      duration: seconds,
      ...noteFields,
      channels: z.int().min(1).describe('1 without `multichannel`.'),
      models: z.array(z.string()),
    }),
    results: z.object({
      channels: z.array(
        z.object({
          alternatives: z.array(
            z.object({
              transcript: z.string(),
              confidence: share,
              words: z.array(WordView),
              paragraphs: ParagraphsView.optional(),
            }),
          ),
          detected_language: z.string(),
        }),
      ),
      utterances: z.array(UtteranceView).optional(),
    }),
  })
  .meta({ id: 'ListenAnswer' });

type ShownParts = 'diarize' | 'utterances' | 'paragraphs' | 'smart_format';

/**
 * A recording has one channel, to which all are mixed, or with `multichannel` all of its channels;
 * and one alternative.
 */
export function viewRecording(
  { id, contentSha256, createdAtMs, result }: CompletedTranscription,
  { diarize, utterances, paragraphs, smart_format: isSmart }: Pick<RecordingQuery, ShownParts>,
): z.output<typeof RecordingAnswer> {
  const segments = finalSegments(result);
  const labels = diarize ? [...speakerLabels(segments).keys()] : [];
  const views = segments.map((segment, index) => viewUtterance(segment, labels, `${id}-${index}`));
  const { channels = 1 } = result;
  const { backend } = result;
  return {
    metadata: {
      transaction_key: 'deprecated',
      request_id: id,
      sha256: contentSha256,
      created: new Date(createdAtMs).toISOString(),
      duration: result.durationMs / 1_000,
      ...notesOf(result),
      channels,
      models: [backend],
      model_info: { [backend]: { name: backend, version: '1', arch: backend } },
    },
    results: {
      channels: Array.from({ length: channels }, (_, number) => ({
        alternatives: [
          viewAlternative(
            views.filter((view) => view.channel === number),
            paragraphs || isSmart,
          ),
        ],
        detected_language: LANGUAGE_CODES[result.language],
      })),
      ...(utterances ? { utterances: views } : {}),
    },
  };
}

function viewAlternative(views: readonly z.output<typeof UtteranceView>[], withParagraphs: boolean) {
  const words = views.flatMap((view) => view.words);
  return {
    transcript: formatPlain(views.map(({ transcript }) => ({ text: transcript }))),
    confidence: mean(
      views.map(({ confidence }) => confidence),
      0,
    ),
    words,
    ...(withParagraphs ? { paragraphs: viewParagraphs(words) } : {}),
  };
}

function viewUtterance(segment: Segment, labels: readonly string[], id: string): z.output<typeof UtteranceView> {
  const { text, startMs, endMs, words, confidence } = segment;
  const channelNumber = segment.speaker === null ? null : channelOfSpeaker(segment.speaker);
  const number = labels.indexOf(segment.speaker ?? '');
  const speakerField = number < 0 ? {} : { speaker: channelNumber ?? number };
  return {
    id,
    start: startMs / 1_000,
    end: endMs / 1_000,
    confidence:
      confidence ??
      mean(
        words.map((word) => word.confidence ?? 0),
        0,
      ),
    channel: channelNumber ?? 0,
    transcript: text,
    words: viewWords(text, words).map((word) => ({ ...word, ...speakerField })),
    ...speakerField,
  };
}

/** The words of a text with their marks. */
export function viewWords(text: string, words: readonly Word[]) {
  const punctuated = punctuatedWords(
    text,
    words.map((word) => word.text),
  );
  return words.map(({ text: word, startMs, endMs, confidence }, index) => ({
    word: word.toLowerCase(),
    punctuated_word: punctuated[index] ?? word,
    start: startMs / 1_000,
    end: endMs / 1_000,
    confidence: confidence ?? 0,
  }));
}
