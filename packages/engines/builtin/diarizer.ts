import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { DiarizationEvent, Diarizer, DiarizerEngine } from '@jyutsing/contracts/diarizer';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { builtinModel, LOWEST_RANK } from './builtin-model.ts';
import type { RecordingAnalysis } from './speakers/analyze-recording.ts';
import { hasSpeakerModels, speakerModelsVersion } from './speakers/models.ts';

/** Increase it whenever this code may return other turns with the same models. */
const CODE_VERSION = '4';
/** Milliseconds of wall-clock time between progress reports, whatever the time of the recording. */
const PROGRESS_EVERY_MS = 200;

/**
 * Built-in diarizer: speech detection, a network for overlap, two networks for voice embeddings of
 * windows. Embeddings are clustered, and Viterbi smoothing follows the most probable speaker.
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
  ] = await Promise.all([
    import('./speakers/analyze-recording.ts'),
    import('./speakers/assign-speakers.ts'),
    import('@jyutsing/audio/speaker-clustering/frames'),
    import('./speakers/options.ts'),
    import('@jyutsing/audio/speaker-clustering/second-voice'),
    import('./speakers/find-known-voices.ts'),
  ]);
  const models = await openSpeakerModels(builtinModelsDir);
  /** Returns the voice windows of a short recording. */
  const windowsOf = async (audio: AsyncIterable<PcmChunk>, signal: AbortSignal) => {
    const recording: RecordingAnalysis = { track: createActivityTrack(), windows: [] };
    const analysis = analyzeRecording(audio, models, DIARIZATION_OPTIONS.analysis, recording, signal);
    for await (const untilMs of analysis) void untilMs;
    return recording.windows;
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
      const turns = assignSpeakers(recording, processedMs, models.statistics, DIARIZATION_OPTIONS, hints?.speakers);
      signal.throwIfAborted();
      const knownVoices = hints?.knownVoices;
      if (knownVoices === undefined) yield { type: 'turns', turns };
      else {
        const speakerOfVoices = findKnownVoices(knownVoices, turns, recording.windows, models.statistics);
        yield { type: 'turns', turns, known: speakerOfVoices };
      }
    },
    evidenceOfSecondVoice: async (audio, signal) =>
      evidenceOfSecondVoice(await windowsOf(audio, signal), models.statistics),
    describeVoice: async (audio, signal) => toVoicePrint(await windowsOf(audio, signal)),
    close: () => models.close(),
  };
}
