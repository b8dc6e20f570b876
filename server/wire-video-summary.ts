import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import type { CaptionSource, CaptionSourceEngine } from '@jyutsing/contracts/captions';
import { toAppError } from '@jyutsing/contracts/errors';
import type { Summarizer, SummarizerEngine } from '@jyutsing/contracts/summarizer';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { planTranscription } from '@jyutsing/engines/plan-transcription';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import { biasOf, type CorpusLibrary } from './features/corpora/library.ts';
import { transcribe } from './features/transcription/transcribe.ts';
import type { UncaptionedVideo } from './features/video-summary/create-transcripts.ts';
import { createVideoSummaries, type VideoSummaryPorts } from './features/video-summary/create-video-summaries.ts';
import type { TextCache } from './features/video-summary/stage-work.ts';
import type { SummaryAsk, VideoSummaries, VideoSummary } from './features/video-summary/video-summaries.ts';
import { createDrainTracker, type DrainTracker } from '@jyutsing/concurrency/drain-tracker';
import { createWeightedSemaphore } from '@jyutsing/concurrency/weighted-semaphore';
import { memoizeAsync } from '@jyutsing/concurrency/memoize-async';
import type { Store } from './store/store.ts';
import type { Logger } from './telemetry/logger.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { WorkerPools } from './workers/worker-pools.ts';

type Rooms = {
  config: Config;
  engines: EngineRegistry;
  workers: WorkerPools;
  corpora: Pick<CorpusLibrary, 'load'>;
  store: Store;
  logger: Logger;
  metrics: Metrics;
};

/** An hour of sound as the platform sends it has about 60 MB. */
const AUDIO_BYTES_PER_MS = 40;

/** Fetched while all workers listen to others. More would only fill the disk: one may have a gigabyte. */
const SOUNDS_AHEAD = 2;

/** Videos: their captions, what they say, and what that comes to. Sound in passing lies in `incomingDir`. */
export function createVideo(
  rooms: Rooms,
  incomingDir: string,
): { summaries: VideoSummaries } & Pick<DrainTracker, 'drain'> & { close(): Promise<void> } {
  const { config, engines, metrics } = rooms;
  const sources = new Map<CaptionSourceEngine, Promise<CaptionSource>>();
  const summarizers = new Map<SummarizerEngine, Promise<Summarizer>>();
  const work = createDrainTracker();
  const pipeline = createVideoSummaries({
    openSource() {
      const engine = engines.choose('caption-source');
      return memoizeAsync(sources, engine, () => engine.open(config.engines));
    },
    async openSummarizer() {
      const engine = engines.choose('summarizer');
      const summarizer = await memoizeAsync(summarizers, engine, () => engine.open(config.engines));
      return { summarizer, version: `${engine.name}-${engine.version(config.engines)}` };
    },
    recognize: createRecognition(rooms, incomingDir),
    cache: createTextCache(rooms),
  });
  const summaries: VideoSummaries = {
    listTracks: (videoId, signal) => work.run(signal, (stop) => pipeline.listTracks(videoId, stop)),
    summarize: (ask, signal) => measured(metrics, ask, () => work.run(signal, (stop) => pipeline.summarize(ask, stop))),
  };
  return {
    summaries,
    drain: (withinMs) => work.drain(withinMs),
    async close() {
      const opened = await Promise.allSettled([...sources.values(), ...summarizers.values()]);
      await Promise.all(opened.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
    },
  };
}

async function measured(
  metrics: Metrics,
  { summaryLanguage: language }: SummaryAsk,
  summarize: () => Promise<VideoSummary>,
): Promise<VideoSummary> {
  const startedMs = performance.now();
  let outcome = 'success';
  try {
    return await summarize();
  } catch (thrown) {
    outcome = toAppError(thrown).code;
    throw thrown;
  } finally {
    metrics.videoSummaries.inc({ language, outcome });
    if (outcome === 'success') {
      metrics.videoSummarySeconds.observe({ language }, (performance.now() - startedMs) / 1_000);
    }
  }
}

/** Nobody says which language is spoken, so it is found out; the title stands for the hint. */
const OPTIONS: TranscriptionOptions = {
  language: 'auto',
  withTimestamp: false,
  withDiarization: false,
  context: null,
  skipFusion: false,
  corpusIds: null,
  model: null,
};

/** Whose corpora are the public ones alone. */
const NOBODY = '';
const LANGUAGE_NAMES = { cantonese: 'Cantonese', mandarin: 'Mandarin', english: 'English' } as const;

function createRecognition(
  { config, engines, workers, corpora, logger }: Rooms,
  incomingDir: string,
): VideoSummaryPorts['recognize'] {
  const { recognition } = config.video;
  if (recognition === null) return null;
  const { maxDurationMs } = recognition;
  const limit = { maxDurationMs, maxBytes: maxDurationMs * AUDIO_BYTES_PER_MS };
  const places = createWeightedSemaphore(config.workers.count + SOUNDS_AHEAD);
  const hear = async ({ source, videoId, title: context }: UncaptionedVideo, signal: AbortSignal) => {
    const path = join(incomingDir, randomUUID());
    const { willFuse } = planTranscription(engines, config.engines, OPTIONS, config.stt.engine);
    const publicCorpora = biasOf(await corpora.load(NOBODY, null));
    try {
      await source.saveAudio(videoId, path, limit, signal);
      const { language, segments, fusion } = await transcribe(
        { ...OPTIONS, context },
        {
          listen: (wishes, stop) => workers.listen(path, config.stt.engine, wishes, stop),
          fuse: willFuse ? (segments, stop) => workers.fuse({ segments, ...publicCorpora, context }, stop) : null,
        },
        {
          progress() {},
          segment() {},
          correctionFailed: (corrector, { code }) => logger.warn({ corrector, code }, 'a correction failed'),
        },
        signal,
      );
      const heard = fusion?.segments ?? segments;
      return { language: LANGUAGE_NAMES[language], text: heard.map(({ text }) => text).join('\n') };
    } finally {
      await rm(path, { force: true });
    }
  };
  return (video, signal) => places.use(1, signal, () => hear(video, signal));
}

/** The database as a cache: one that fails is one that knows nothing. */
function createTextCache({ config, store, logger }: Rooms): TextCache {
  const { cacheMs } = config.video;
  const failed = (cause: unknown) => {
    logger.warn({ cause }, 'the cache of videos cannot be used');
    return null;
  };
  return {
    find: (key) => (cacheMs === 0 ? Promise.resolve(null) : store.videoCache.find(key).catch(failed)),
    async keep(key, value) {
      if (cacheMs > 0) await store.videoCache.save(key, value, Date.now() + cacheMs).catch(failed);
    },
  };
}
