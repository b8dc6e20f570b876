import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { DiarizationEvent, DiarizationHints, Diarizer, DiarizerEngine } from '@jyutsing/contracts/diarizer';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { SPEAKER_FRAME_MS } from '@jyutsing/audio/speaker-clustering/frames';
import { builtinModel, LOWEST_RANK } from './builtin-model.ts';
import type { RecordingAnalysis } from './speakers/analyze-recording.ts';
import { hasSpeakerModels, speakerModelsVersion } from './speakers/models.ts';

/** Increase it whenever this code may return other turns with the same models. */
const CODE_VERSION = '5';
/** Milliseconds of wall-clock time between progress reports, whatever the time of the recording. */
const PROGRESS_EVERY_MS = 200;

/**
 * Built-in diarizer: speech detection, two networks for speech and overlap, two for voice
 * embeddings of windows. Embeddings are clustered, and Viterbi smoothing follows the most probable
 * speaker.
 */
export const engine: DiarizerEngine = {
  ability: 'diarizer',
  name: 'builtin',
  models: ({ builtinModelsDir }) =>
    builtinModel({
      version: () => `${CODE_VERSION}-${speakerModelsVersion(builtinModelsDir)}`,
      capabilities: LOWEST_RANK,
      isAvailable: hasSpeakerModels(builtinModelsDir),
      reason: 'the model files of the built-in diarizer are missing',
    }),
  open: openBuiltin,
};

async function openBuiltin({ builtinModelsDir }: EngineEnv): Promise<Diarizer> {
  const { openSpeakerModels } = await import('./speakers/models.ts');
  const [
    { analyzeRecording },
    { assignSpeakers },
    { createActivityTrack },
    { DIARIZATION_OPTIONS },
    { evidenceOfSecondVoice },
    { findKnownVoices, toVoicePrint },
    { createGrowingAnalysis },
  ] = await Promise.all([
    import('./speakers/analyze-recording.ts'),
    import('./speakers/assign-speakers.ts'),
    import('@jyutsing/audio/speaker-clustering/frames'),
    import('./speakers/options.ts'),
    import('@jyutsing/audio/speaker-clustering/second-voice'),
    import('./speakers/find-known-voices.ts'),
    import('./speakers/growing-analysis.ts'),
  ]);
  const models = await openSpeakerModels(builtinModelsDir);
  /** Returns the voice windows of a short recording. */
  const windowsOf = async (audio: AsyncIterable<PcmChunk>, signal: AbortSignal) => {
    const recording: RecordingAnalysis = { track: createActivityTrack(), windows: [] };
    const analysis = analyzeRecording(audio, models, DIARIZATION_OPTIONS.analysis, recording, signal);
    for await (const untilMs of analysis) void untilMs;
    return recording.windows;
  };
  const turnsOf = (recording: RecordingAnalysis, durationMs: number, hints: DiarizationHints = {}) => {
    const { speakers, knownVoices } = hints;
    const turns = assignSpeakers(recording, durationMs, models.statistics, DIARIZATION_OPTIONS, speakers);
    if (knownVoices === undefined) return { turns };
    return { turns, known: findKnownVoices(knownVoices, turns, recording.windows, models.statistics) };
  };
  return {
    async *diarize(audio, signal, hints): AsyncGenerator<DiarizationEvent> {
      const recording = { track: createActivityTrack(), windows: [] };
      let processedMs = 0;
      let nextReportAt = 0;
      for await (const untilMs of analyzeRecording(audio, models, DIARIZATION_OPTIONS.analysis, recording, signal)) {
        if (untilMs <= processedMs) continue;
        processedMs = untilMs;
        if (performance.now() < nextReportAt) continue;
        nextReportAt = performance.now() + PROGRESS_EVERY_MS;
        yield { type: 'progress', processedMs };
      }
      yield { type: 'progress', processedMs };
      const found = turnsOf(recording, processedMs, hints);
      signal.throwIfAborted();
      yield { type: 'turns', ...found };
    },
    follow() {
      const analyze = createGrowingAnalysis(models, DIARIZATION_OPTIONS.analysis);
      return async ({ samples, startMs }, signal, hints) => {
        const analysis = await analyze(samples, startMs, signal);
        const offsetMs = analysis.firstFrame * SPEAKER_FRAME_MS - startMs;
        const lengthMs = (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ - offsetMs;
        const { turns, ...matches } = turnsOf(analysis, lengthMs, hints);
        const moved = turns.map((turn) => {
          return { ...turn, startMs: turn.startMs + offsetMs, endMs: turn.endMs + offsetMs };
        });
        return { turns: moved, ...matches };
      };
    },
    evidenceOfSecondVoice: async (audio, signal) =>
      evidenceOfSecondVoice(await windowsOf(audio, signal), models.statistics),
    describeVoice: async (audio, signal) => toVoicePrint(await windowsOf(audio, signal)),
    close: () => models.close(),
  };
}
