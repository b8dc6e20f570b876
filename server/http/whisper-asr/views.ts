import type { Segment, Word } from '@jyutsing/contracts/transcript';
import type { CueLimits, TranscriptionResult } from '@jyutsing/contracts/transcription';
import { LANGUAGE_CODES } from '#http/openai-transcriptions/language-code.ts';
import { viewText, viewVerbose } from '#http/openai-transcriptions/views.ts';
import { finalSegments } from '#http/transcription/record-view.ts';
import { markedWords } from '#http/transcription/punctuated-words.ts';
import type { Output } from './query.ts';

/** The result as that server writes it: a line or a row for each segment. */
export async function viewOutput(
  result: TranscriptionResult,
  { output, word_timestamps: withWords }: { output: Output; word_timestamps: boolean },
  cues: CueLimits,
): Promise<string> {
  const segments = finalSegments(result);
  switch (output) {
    case 'txt':
      return segments.map(({ text }) => `${text.trim()}\n`).join('');
    case 'tsv':
      return ['start\tend\ttext', ...segments.map(rowOf), ''].join('\n');
    case 'json':
      return JSON.stringify(viewJson(result, segments, withWords));
    case 'srt':
    case 'vtt':
      return (await viewText(result, output, cues)).text;
  }
}

const rowOf = ({ startMs, endMs, text }: Segment) =>
  [Math.round(startMs), Math.round(endMs), text.trim().replaceAll(/[\t\n]/g, ' ')].join('\t');

function viewJson(result: TranscriptionResult, segments: readonly Segment[], withWords: boolean) {
  const { text, segments: viewed = [] } = viewVerbose(result, new Set(['segment']));
  return {
    text,
    segments: viewed.map((segment, index) =>
      withWords ? { ...segment, words: markedWords(segments[index]!).map(viewWord) } : segment,
    ),
    language: LANGUAGE_CODES[result.language],
  };
}

function viewWord({ text, startMs, endMs, confidence }: Word) {
  return { word: text, start: startMs / 1_000, end: endMs / 1_000, probability: confidence };
}
