import type { Diarizer, DiarizerEngine } from '@jyutsing/contracts/diarizer';
import { AppError } from '@jyutsing/contracts/errors';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { installedModelDir } from '#engines/runtime/model-files/installed.ts';
import { installedDigest } from '#engines/runtime/model-files/installed-digest.ts';
import { computeOf, thresholdOf } from './variables.ts';

/** Increase it whenever this code could give other turns from the same models. */
const CODE_VERSION = '1';
const SEGMENTATION_PACKAGE = 'pyannote-segmentation-3.0';
/**
 * Packages of voice embeddings; the first installed one is used, because the other was trained on
 * Chinese only.
 */
const EMBEDDING_PACKAGES = ['campplus-zh-en', 'campplus-speaker'] as const;

/**
 * Diarizer with pyannote's segmentation and CAM++ voices, clustered by sherpa-onnx; available when
 * packages of both are installed.
 */
export const engine: DiarizerEngine = {
  ability: 'diarizer',
  name: 'sherpa-onnx',
  models({ modelsDir, settings }) {
    const packageNames = [SEGMENTATION_PACKAGE, embeddingPackage(modelsDir)];
    const missingNames = packageNames.filter((name) => installedModelDir(modelsDir, name) === null);
    return [
      {
        name: 'sherpa-onnx',
        version: [
          CODE_VERSION,
          ...packageNames.map((name) => installedDigest(modelsDir, name) ?? 'none'),
          // Another threshold gives other turns.
          settings['DIARIZATION_THRESHOLD'] ?? '',
        ]
          .filter((part) => part !== '')
          .join('-'),
        capabilities: { quality: 20 },
        availability:
          missingNames.length === 0
            ? { available: true }
            : { available: false, reason: `not pulled: npm run models -- pull ${missingNames.join(' ')}` },
      },
    ];
  },
  open: openSherpa,
};

function embeddingPackage(modelsDir: string): string {
  return EMBEDDING_PACKAGES.find((name) => installedModelDir(modelsDir, name) !== null) ?? EMBEDDING_PACKAGES[0];
}

async function openSherpa({ modelsDir, settings }: EngineEnv): Promise<Diarizer> {
  const segmentationDir = installedModelDir(modelsDir, SEGMENTATION_PACKAGE);
  const embeddingDir = installedModelDir(modelsDir, embeddingPackage(modelsDir));
  if (segmentationDir === null || embeddingDir === null) {
    throw new AppError('engine_unavailable', 'The speaker models of sherpa-onnx are not installed on this server.');
  }
  const [{ diarizationFiles, openNativeDiarization }, { diarizeInBlocks }, { releaseMemory }] = await Promise.all([
    import('./native-diarization.ts'),
    import('./diarize-blocks.ts'),
    import('./release-memory.ts'),
  ]);
  const native = await openNativeDiarization(diarizationFiles(segmentationDir, embeddingDir), {
    compute: computeOf(settings),
    threshold: thresholdOf(settings),
  });
  return {
    diarize: (audio, signal, hints) => diarizeInBlocks(audio, native, signal, hints),
    async close() {
      releaseMemory();
    },
  };
}
