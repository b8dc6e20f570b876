import { z } from 'zod';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { CueLimits, TranscriptionResult } from '@jyutsing/contracts/transcription';
import { isSpaceBetween } from '@jyutsing/text/join-words';
import { formatPlain, speakerLabels } from '#features/transcription/format.ts';
import { LANGUAGE_CODES } from '#http/openai-transcriptions/language-code.ts';
import { markedWords } from '#http/transcription/punctuated-words.ts';
import { finalSegments } from '#http/transcription/record-view.ts';
import { TEXT_FILES } from '#http/transcription/transcript-file.ts';
import type { AdditionalFormat, TranscriptShape } from './transcript-form.ts';

const seconds = z.number().min(0);
const CharacterView = z.object({ text: z.string(), start: seconds, end: seconds });
const WordView = z.object({
  text: z.string(),
  start: seconds,
  end: seconds,
  type: z.enum(['word', 'spacing']),
  speaker_id: z.string().optional(),
  logprob: z.number(),
  characters: z.array(CharacterView).optional(),
});
type WordView = z.output<typeof WordView>;

/** The answer to a recording, as ElevenLabs' clients read it. */
export const TranscriptAnswer = z
  .object({
    language_code: z.string(),
    language_probability: z.number(),
    text: z.string(),
    words: z.array(WordView).describe('With the marks beside them, so that they make up the text.'),
    additional_formats: z
      .array(
        z.object({
          requested_format: z.string(),
          file_extension: z.string(),
          content_type: z.string(),
          is_base64_encoded: z.literal(false),
          content: z.string(),
        }),
      )
      .optional(),
    transcription_id: z.string(),
    audio_duration_secs: seconds,
  })
  .meta({ id: 'ElevenLabsTranscript' });

/** Writes the result of the record `id`; spaces are words of their own, where the text has them. */
export async function viewTranscript(
  id: string,
  result: TranscriptionResult,
  { granularity, additionalFormats }: TranscriptShape,
  cues: CueLimits,
): Promise<z.output<typeof TranscriptAnswer>> {
  const segments = finalSegments(result);
  const labels = [...speakerLabels(segments).keys()];
  const words: WordView[] = [];
  for (const segment of granularity === 'none' ? [] : segments) {
    const number = labels.indexOf(segment.speaker ?? '');
    const speaker = number < 0 ? {} : { speaker_id: `speaker_${String(number)}` };
    for (const word of viewWords(segment)) {
      const before = words.at(-1);
      if (before !== undefined && isSpaceBetween(before.text, word.text)) {
        const end = Math.max(before.end, word.start);
        words.push({ text: ' ', start: before.end, end, type: 'spacing', logprob: 0 });
      }
      words.push({ ...word, ...speaker, ...(granularity === 'character' ? { characters: charactersOf(word) } : {}) });
    }
  }
  const formats = additionalFormats?.map((format) => viewFormat(format, segments, cues));
  return {
    language_code: LANGUAGE_CODES[result.language],
    language_probability: 1,
    text: formatPlain(segments),
    words,
    ...(formats === undefined ? {} : { additional_formats: await Promise.all(formats) }),
    transcription_id: id,
    audio_duration_secs: result.durationMs / 1_000,
  };
}

/** The words of a segment with the marks beside them. */
function viewWords(segment: Segment): WordView[] {
  return markedWords(segment).map(({ text, startMs, endMs, confidence }) => ({
    text,
    start: startMs / 1_000,
    end: endMs / 1_000,
    type: 'word',
    logprob: Math.log(Math.max(1e-4, confidence ?? 1)),
  }));
}

/** The characters of a word; no model times them, so they share its time. */
function charactersOf({ text, start, end }: WordView): z.output<typeof CharacterView>[] {
  const characters = [...text];
  const timeAt = (index: number) => Math.round((start + ((end - start) * index) / characters.length) * 1_000) / 1_000;
  return characters.map((character, index) => ({ text: character, start: timeAt(index), end: timeAt(index + 1) }));
}

async function viewFormat(
  { format, include_speakers: withSpeakers, max_characters_per_line: length }: AdditionalFormat,
  segments: readonly Segment[],
  cues: CueLimits,
) {
  const { mediaType, write } = TEXT_FILES[format];
  const limits = length == null ? cues : { ...cues, maxCharacters: length };
  return {
    requested_format: format,
    file_extension: format,
    content_type: mediaType,
    is_base64_encoded: false,
    content: await write(segments, withSpeakers ?? false, limits),
  } as const;
}
