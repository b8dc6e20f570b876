import { AppError, toAppError } from '@jyutsing/contracts/errors';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { Fusion, TranscriptionEvent, TranscriptionResult } from '@jyutsing/contracts/transcription';
import { countChannels } from '@jyutsing/audio/decode';
import { nameOfChannel, speakerOfChannel } from './channel-speakers.ts';
import type { TranscriptionCall } from './recognition.ts';
import { createResultCollector, resultEvents } from './result-parts.ts';

/** Transcribes a recording, or a channel of it, of at most `maxDurationMs`. */
type Transcribe = (call: TranscriptionCall, maxDurationMs: number) => AsyncGenerator<TranscriptionEvent>;

const MAX_CHANNELS = 8;

/**
 * Transcribes every channel of a recording for itself, one after the other, and merges their
 * segments by time: each channel is a speaker. Work grows with channels, so a recording may be as
 * many times shorter than the limit. The segments of `segment-end` are in order within their
 * channel only. A recording with one channel is transcribed as without separation, with the notice
 * `one_channel`. Throws `invalid_parameter` for too many channels, and what `transcribe` throws.
 */
export async function* transcribeChannels(
  call: TranscriptionCall,
  maxDurationMs: number,
  transcribe: Transcribe,
): AsyncGenerator<TranscriptionEvent> {
  const count = await countChannels(call.path);
  if (count > MAX_CHANNELS) {
    const limit = `The recording has ${count} channels; "channels=separate" takes at most ${MAX_CHANNELS}.`;
    throw new AppError('invalid_parameter', limit);
  }
  if (count === 1) return yield* withNotice(transcribe(call, maxDurationMs));
  const limitMs = maxDurationMs / count;
  const options = { ...call.options, withDiarization: false };
  const results: TranscriptionResult[] = [];
  const scale = createProgressScale(count);
  for (let channel = 0; channel < count; channel += 1) {
    const collector = createResultCollector();
    try {
      for await (const event of transcribe({ ...call, channel, options }, limitMs)) {
        collector.add(event);
        if (event.type === 'progress') yield scale.progress(event, channel);
        else if (event.type === 'segment-end') yield { ...event, segment: spokenIn(channel, event.segment) };
        else if (event.type === 'correction-failed' || event.type === 'recognizer') yield event;
      }
    } catch (thrown) {
      throw withLimit(toAppError(thrown), count, limitMs);
    }
    const result = collector.result();
    scale.measured(result.durationMs);
    results.push(result);
  }
  yield* resultEvents(mergeChannels(results));
}

async function* withNotice(events: AsyncGenerator<TranscriptionEvent>): AsyncGenerator<TranscriptionEvent> {
  for await (const event of events) {
    yield event.type === 'result' ? { ...event, result: { notice: 'one_channel', ...event.result } } : event;
  }
}

function withLimit(error: AppError, count: number, limitMs: number): AppError {
  if (error.code !== 'audio_too_long') return error;
  const limit = `may be ${Math.floor(limitMs / 60_000)} minutes long with "channels=separate"`;
  return new AppError('audio_too_long', `A recording of ${count} channels ${limit}.`);
}

type Progress = Extract<TranscriptionEvent, { type: 'progress' }>;

/** Makes the progress of the channels one progress of the recording, which never decreases. */
function createProgressScale(count: number) {
  let durationMs = 0;
  let reachedMs = 0;
  return {
    measured(ms: number): void {
      durationMs = ms;
    },
    progress({ stage, processedMs }: Progress, channel: number): Progress {
      reachedMs = Math.max(reachedMs, (channel * durationMs + processedMs) / count);
      // The correction of a channel comes before the recognition of the next one.
      const isLast = channel === count - 1;
      return { type: 'progress', stage: isLast ? stage : 'recognition', processedMs: Math.round(reachedMs) };
    },
  };
}

function spokenIn(channel: number, segment: Segment): Segment {
  return { ...segment, speaker: speakerOfChannel(channel) };
}

/** Merges the results of all channels; language and model are those of the one with most text. */
function mergeChannels(results: readonly TranscriptionResult[]): TranscriptionResult {
  const entries = results
    .flatMap(({ segments, fusion }, channel) =>
      segments.map((segment, index) => ({
        segment: spokenIn(channel, segment),
        // A channel in another language has no correction.
        corrected: spokenIn(channel, fusion?.segments[index] ?? segment),
        romanization: fusion?.romanization[index] ?? '',
      })),
    )
    .toSorted((a, b) => a.segment.startMs - b.segment.startMs);
  const fusion: Fusion = {
    segments: entries.map(({ corrected }) => corrected),
    romanization: entries.map(({ romanization }) => romanization),
  };
  const [main] = results.toSorted((a, b) => b.segments.length - a.segments.length);
  if (main === undefined) throw new AppError('empty_audio');
  const { soundMs: _, notice: __, modelFailures: ___, ...common } = main;
  const modelFailures = results.flatMap((result) => result.modelFailures ?? []);
  const notice = results.find((result) => result.notice !== undefined)?.notice;
  const durationMs = Math.max(...results.map((result) => result.durationMs));
  const soundMs = Math.max(...results.map((result) => result.soundMs ?? result.durationMs));
  const names = results.map((_, channel) => [speakerOfChannel(channel), nameOfChannel(channel)]);
  return {
    ...common,
    durationMs,
    ...(soundMs < durationMs ? { soundMs } : {}),
    ...(notice === undefined ? {} : { notice }),
    ...(modelFailures.length === 0 ? {} : { modelFailures }),
    segments: entries.map(({ segment }) => segment),
    fusion: results.every((result) => result.fusion === null) ? null : fusion,
    speakerNames: Object.fromEntries(names),
    channels: results.length,
    transcriptionSeconds: total(results.map(({ transcriptionSeconds }) => transcriptionSeconds)),
    fusionSeconds: total(results.map(({ fusionSeconds }) => fusionSeconds)),
  };
}

/** Adds seconds, to the millisecond. */
function total(seconds: readonly number[]): number {
  return Math.round(seconds.reduce((sum, value) => sum + 1_000 * value, 0)) / 1_000;
}
