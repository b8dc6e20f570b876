import { basename, join } from 'node:path';
import type { OfflineSpeakerDiarization, SpeakerEmbeddingExtractor } from 'sherpa-onnx-node';
import type { DiarizationHints, SpeakerRange } from '@jyutsing/contracts/diarizer';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { packages } from './packages.ts';
import type { Compute } from './variables.ts';

type DiarizationFiles = { segmentation: string; embedding: string };

/** A turn within one block of audio; `speaker` numbers are local to the block. */
export type NativeTurn = { startMs: number; endMs: number; speaker: number };

/** Hints of the request for the clustering of voices. */
export type ClusteringHints = { [Name in 'speakers' | 'threshold']?: DiarizationHints[Name] | undefined };

/** The two loaded models: segmentation and voice embedding. */
export type NativeDiarization = {
  /**
   * Computes the turns in a block of audio (16 kHz mono) on a thread, one block at a time, with as
   * many speakers as requested where the library can: it ignores the number for 10 s or less.
   * `onProgress` receives the completed share, 0..1, once speech was found. Throws `engine_failed`;
   * an invalid model may abort the process.
   */
  process(samples: Float32Array, onProgress: (share: number) => void, hints?: ClusteringHints): Promise<NativeTurn[]>;
  /**
   * Computes the voice embedding of audio, of any norm; blocks the event loop for a fraction of a
   * second.
   */
  voice(samples: Float32Array): Float32Array;
};

/** Number of clusters that says that the number is unknown, so the threshold decides. */
const BY_THRESHOLD = -1;

/** Opens both models; `threshold` applies to requests without one. */
export async function openNativeDiarization(
  files: DiarizationFiles,
  { compute: { threads, provider }, threshold: usualThreshold }: { compute: Compute; threshold: number },
): Promise<NativeDiarization> {
  const [{ default: sherpa }, { default: addon }] = await Promise.all([
    import('sherpa-onnx-node'),
    // The addon is used because it has an asynchronous call; the package's class blocks the event
    // loop.
    import('sherpa-onnx-node/addon.js'),
  ]).catch((cause: unknown) => {
    throw new AppError('engine_unavailable', 'sherpa-onnx has no build for this system.', { cause });
  });
  const embedding = { model: files.embedding, numThreads: threads, provider, debug: 0 } as const;
  let diarization: OfflineSpeakerDiarization;
  let extractor: SpeakerEmbeddingExtractor;
  try {
    diarization = new sherpa.OfflineSpeakerDiarization({
      segmentation: { pyannote: { model: files.segmentation }, numThreads: threads, provider, debug: 0 },
      embedding,
      clustering: { numClusters: BY_THRESHOLD, threshold: usualThreshold },
      minDurationOn: 0.2,
      minDurationOff: 0.3,
    });
    extractor = new sherpa.SpeakerEmbeddingExtractor(embedding);
  } catch (cause) {
    throw new AppError('engine_failed', 'The speaker models could not be loaded.', { cause });
  }
  let turn: Promise<unknown> = Promise.resolve();
  return {
    process(samples, onProgress, { speakers, threshold = usualThreshold } = {}) {
      const run = async (numClusters: number): Promise<NativeTurn[]> => {
        diarization.setConfig({ clustering: { numClusters, threshold } });
        const segments = await addon
          .offlineSpeakerDiarizationProcessAsync(diarization.handle, samples, (done, all) => onProgress(done / all))
          .catch((cause: unknown) => {
            throw new AppError('engine_failed', undefined, { cause });
          });
        return segments.map(({ start, end, speaker }) => ({ startMs: start * 1_000, endMs: end * 1_000, speaker }));
      };
      const turns = turn.then(() => (speakers === undefined ? run(BY_THRESHOLD) : runWithin(speakers, run)));
      turn = turns.catch(() => {});
      return turns;
    },
    voice(samples) {
      const stream = extractor.createStream();
      stream.acceptWaveform({ samples, sampleRate: RECOGNIZER_SAMPLE_RATE_HZ });
      stream.inputFinished();
      return extractor.compute(stream, false);
    },
  };
}

/**
 * Finds turns with a number of speakers within a range. A fixed number is set at once; a range
 * matters only where the threshold gives a number outside of it. A cluster may have no turn, as it
 * is never the strongest; then a few more clusters are requested. Of more clusters than stretches
 * of speech the library makes a single one. The result nearest to the range is used.
 */
async function runWithin(
  { min, max }: SpeakerRange,
  run: (numClusters: number) => Promise<NativeTurn[]>,
): Promise<NativeTurn[]> {
  const countOf = (turns: readonly NativeTurn[]) => new Set(turns.map(({ speaker }) => speaker)).size;
  const distance = (turns: readonly NativeTurn[]) => Math.max(min - countOf(turns), countOf(turns) - max, 0);
  let nearest = await run(min === max ? min : BY_THRESHOLD);
  if (nearest.length === 0) return nearest;
  const clusterCounts = countOf(nearest) > max ? [max] : [min, min + 1, min + 2, BY_THRESHOLD];
  for (const numClusters of min === max ? clusterCounts.slice(1) : clusterCounts) {
    if (distance(nearest) === 0) break;
    const turns = await run(numClusters);
    if (distance(turns) < distance(nearest)) nearest = turns;
  }
  return nearest;
}

/** Returns the files of both packages in their folders. */
export function diarizationFiles(segmentationDir: string, embeddingDir: string): DiarizationFiles {
  // The folder of a package is named after it, and this package has a single file.
  const name = packages.find((candidate) => candidate.name === basename(embeddingDir))?.files[0] ?? '';
  return {
    segmentation: join(segmentationDir, 'model.onnx'),
    embedding: join(embeddingDir, name),
  };
}
