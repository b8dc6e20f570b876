import type { DiarizationEvent, Diarizer, DiarizerEngine } from '@jyutsing/contracts/diarizer';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { builtinModel, LOWEST_RANK } from './builtin-model.ts';
import { hasSpeakerModels, speakerModelsVersion } from './speakers/models.ts';

/** Increase it whenever this code may return other turns with the same models. */
const CODE_VERSION = '1';
/** Wall-clock time, not time of the recording. */
const PROGRESS_EVERY_MS = 200;

/**
 * Built-in diarizer: speech detection, a network for overlap, a network for voice embeddings of
 * windows; embeddings are clustered, and Viterbi smoothing follows the most probable speaker.
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
  ] = await Promise.all([
    import('./speakers/analyze-recording.ts'),
    import('./speakers/assign-speakers.ts'),
    import('@jyutsing/audio/speaker-clustering/frames'),
    import('./speakers/options.ts'),
    import('@jyutsing/audio/speaker-clustering/second-voice'),
  ]);
  const models = await openSpeakerModels(builtinModelsDir);
  return {
    async *diarize(audio, signal): AsyncGenerator<DiarizationEvent> {
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
      const turns = assignSpeakers(recording, processedMs, models.statistics, DIARIZATION_OPTIONS);
      signal.throwIfAborted();
      yield { type: 'turns', turns };
    },
    async evidenceOfSecondVoice(audio, signal) {
      const recording = { track: createActivityTrack(), windows: [] };
      const analysis = analyzeRecording(audio, models, DIARIZATION_OPTIONS.analysis, recording, signal);
      for await (const untilMs of analysis) void untilMs;
      return evidenceOfSecondVoice(recording.windows, models.statistics);
    },
    close: () => models.close(),
  };
}
