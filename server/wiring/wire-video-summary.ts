import type { Config } from '#config/config.ts';
import { createDrainTracker, type DrainTracker } from '@jyutsing/concurrency/drain-tracker';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import type { CaptionSource } from '@jyutsing/contracts/captions';
import { toAppError } from '@jyutsing/contracts/errors';
import type { Summarizer } from '@jyutsing/contracts/summarizer';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import { biasOf, type CorpusLibrary } from '#features/corpora/library.ts';
import { createResultCollector } from '#features/transcription/result-parts.ts';
import type { TextCache } from '#features/video-summary/pipeline-step.ts';
import {
  createVideoSummarizer,
  type VideoRecognition,
  type VideoSummarizer,
} from '#features/video-summary/summarize-video.ts';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { Metrics } from '#telemetry/metrics.ts';
import type { Transcription } from '#features/transcription/transcription-services.ts';

type VideoSummaryDeps = {
  config: Config;
  engines: EngineRegistry;
  transcription: Transcription;
  corpora: Pick<CorpusLibrary, 'load'>;
  store: Store;
  logger: Logger;
  metrics: Metrics;
};

/** An hour of sound as the platform sends it has about 60 MB. */
const AUDIO_BYTES_PER_MS = 40;

/** Downloads while all workers are busy. More would only fill the disk: one may have a gigabyte. */
const DOWNLOADS_AHEAD = 2;

/** `incomingDir` holds the sound of videos while it is transcribed. */
export function wireVideoSummary(
  deps: VideoSummaryDeps,
  incomingDir: string,
): { summarizer: VideoSummarizer } & Pick<DrainTracker, 'drain'> & { close(): Promise<void> } {
  const { engines, metrics } = deps;
  const sources = new Map<string, Promise<CaptionSource>>();
  const summarizers = new Map<string, Promise<Summarizer>>();
  const tracker = createDrainTracker();
  const pipeline = createVideoSummarizer({
    openCaptionSource() {
      const ref = engines.select('caption-source');
      return memoizeAsync(sources, `${ref.engine} ${ref.model}`, () => engines.open(ref));
    },
    async openSummarizer() {
      const ref = engines.select('summarizer');
      const summarizer = await memoizeAsync(summarizers, `${ref.engine} ${ref.model}`, () => engines.open(ref));
      return { summarizer, version: `${ref.engine}-${ref.version}` };
    },
    recognition: createRecognition(deps, incomingDir),
    cache: createTextCache(deps),
  });
  return {
    summarizer: {
      listTracks: (videoId, signal) => tracker.run(signal, (stop) => pipeline.listTracks(videoId, stop)),
      async summarize(request, signal) {
        const language = request.summaryLanguage;
        const startedMs = performance.now();
        let outcome = 'success';
        try {
          return await tracker.run(signal, (stop) => pipeline.summarize(request, stop));
        } catch (thrown) {
          outcome = toAppError(thrown).code;
          throw thrown;
        } finally {
          metrics.videoSummaries.inc({ language, outcome });
          if (outcome === 'success') {
            metrics.videoSummarySeconds.observe({ language }, (performance.now() - startedMs) / 1_000);
          }
        }
      },
    },
    drain: (withinMs) => tracker.drain(withinMs),
    async close() {
      const opened = await Promise.allSettled([...sources.values(), ...summarizers.values()]);
      await Promise.all(opened.map((opening) => (opening.status === 'fulfilled' ? opening.value.close() : undefined)));
    },
  };
}

/** The spoken language is not known; the title takes the place of the client's context. */
const OPTIONS: TranscriptionOptions = {
  language: 'auto',
  withTimestamp: false,
  withDiarization: false,
  context: null,
  skipFusion: false,
  corpusIds: null,
  model: null,
};

/** No account has this id, so only the public corpora are loaded. */
const NO_ACCOUNT = '';
const LANGUAGE_NAMES = { cantonese: 'Cantonese', mandarin: 'Mandarin', english: 'English' } as const;

function createRecognition(
  { config, transcription, corpora, logger }: VideoSummaryDeps,
  audioDir: string,
): VideoRecognition | null {
  if (config.video.recognition === null) return null;
  const { maxDurationMs } = config.video.recognition;
  return {
    limit: { maxDurationMs, maxBytes: maxDurationMs * AUDIO_BYTES_PER_MS },
    maxConcurrent: config.workers.count + DOWNLOADS_AHEAD,
    audioDir,
    async prepare() {
      const { willFuse, models } = transcription.planTranscription(OPTIONS);
      const bias = willFuse ? biasOf(await corpora.load(NO_ACCOUNT, null)) : null;
      return async (path, context, signal) => {
        const collector = createResultCollector();
        const call = { path, models, options: { ...OPTIONS, context } };
        for await (const event of transcription.transcribeInWorker(call, bias, signal)) {
          collector.add(event);
          if (event.type !== 'correction-failed') continue;
          logger.warn({ corrector: event.corrector, code: event.code }, 'a correction failed');
        }
        const { language, segments, fusion } = collector.result();
        const rows = segments.map(({ startMs, text }, index) => ({
          text: fusion?.segments[index]?.text ?? text,
          startMs,
        }));
        return { language: LANGUAGE_NAMES[language], rows };
      };
    },
  };
}

/** The database as a cache. Its failures are logged, and the text is made again. */
function createTextCache({ config, store, logger }: VideoSummaryDeps): TextCache {
  const { cacheMs } = config.video;
  const failed = (cause: unknown) => {
    logger.warn({ cause }, 'failed to read or write the cache of video texts');
    return null;
  };
  return {
    find: (key) => (cacheMs === 0 ? Promise.resolve(null) : store.videoCache.find(key).catch(failed)),
    async save(key, value) {
      if (cacheMs > 0) await store.videoCache.save(key, value, Date.now() + cacheMs).catch(failed);
    },
  };
}
