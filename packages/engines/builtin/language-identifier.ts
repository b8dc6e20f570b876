import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { LanguageIdentifier, LanguageIdentifierEngine } from '@jyutsing/contracts/language-identifier';
import type { Language } from '@jyutsing/contracts/transcript';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { segmentSpeech, type SegmenterEvent } from '@jyutsing/audio/speech/segmenter';
import { createDetectorOf, speechDetectorOf } from '#engines/runtime/speech-detection.ts';
import { builtinModel, LOWEST_RANK } from './builtin-model.ts';
import {
  LanguageCalibration,
  likeliest,
  openLanguageScores,
  SCORING_MODELS,
  shareOfListener,
} from './language-scores.ts';
import { hasListener, hasModels, modelsVersion } from './model-files.ts';

/** Increase it whenever this code or its weights may decide otherwise with the same models. */
const CODE_VERSION = '7';
/** Amount of speech that suffices, in milliseconds; more no longer changes the decision. */
const SUFFICIENT_SPEECH_MS = 6_000;
/**
 * Time in milliseconds after which the available speech has to suffice: a recording may begin with
 * music.
 */
const PATIENCE_MS = 120_000;

const CHINESE: readonly Language[] = ['cantonese', 'mandarin'];

const calibrationFile = (modelsDir: string) => join(modelsDir, 'language-identifier.json');

/**
 * Identifies the language of a recording by its first seconds of speech: evidence of the acoustic
 * models, and of the listener for people, weighted by multinomial logistic regression
 * (models/language-identifier.md).
 */
export const engine: LanguageIdentifierEngine = {
  ability: 'language-identifier',
  name: 'builtin',
  models: ({ builtinModelsDir, settings }) =>
    builtinModel({
      version: () => {
        const detector = speechDetectorOf({ builtinModelsDir, settings });
        return `${CODE_VERSION}-${detector}-${modelsVersion(builtinModelsDir)}`;
      },
      capabilities: LOWEST_RANK,
      isAvailable:
        existsSync(calibrationFile(builtinModelsDir)) &&
        hasListener(builtinModelsDir) &&
        SCORING_MODELS.every((language) => hasModels(builtinModelsDir, language)),
      reason: 'the model files of the built-in language identifier are missing',
    }),
  open: openIdentifier,
};

async function openIdentifier(env: EngineEnv): Promise<LanguageIdentifier> {
  const { builtinModelsDir } = env;
  const createDetector = createDetectorOf(env);
  const calibration = await readCalibration(calibrationFile(builtinModelsDir));
  const scorer = await openLanguageScores(builtinModelsDir);
  return {
    async identify(audio, among, signal) {
      const [only] = among;
      if (only !== undefined && among.length === 1) return { language: only, confidence: 1 };
      const speech = await firstSpeech(segmentSpeech(audio, signal, createDetector));
      if (speech === null) return null;
      const scores = await scorer.score(speech);
      signal.throwIfAborted();
      if (shareOfListener(scores, calibration) === 0) return likeliest(scores, null, calibration, among);
      const { comparisons, compareReadings } = await scorer.listen(speech, signal);
      signal.throwIfAborted();
      const byHeads = likeliest(scores, { comparisons, readings: 0 }, calibration, among);
      // Readings only tell the two kinds of Chinese apart.
      if (byHeads?.language === 'english' || !CHINESE.every((language) => among.includes(language))) return byHeads;
      const readings = await compareReadings();
      return likeliest(scores, { comparisons, readings }, calibration, among);
    },
    close: () => scorer.close(),
  };
}

async function readCalibration(path: string): Promise<LanguageCalibration> {
  try {
    return LanguageCalibration.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new AppError('engine_unavailable', 'The built-in language identifier is missing or damaged.', { cause });
  }
}

/** Joins the first seconds of speech without pauses; null when there is none. */
async function firstSpeech(events: AsyncIterable<SegmenterEvent>): Promise<Float32Array | null> {
  const sufficientLength = (SUFFICIENT_SPEECH_MS * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000;
  const pieces: Float32Array[] = [];
  let length = 0;
  for await (const event of events) {
    if (event.type === 'settled' && event.untilMs < PATIENCE_MS) continue;
    if (event.type === 'segment') {
      const piece = event.segment.samples.subarray(0, sufficientLength - length);
      pieces.push(piece);
      length += piece.length;
    }
    if (length >= sufficientLength || event.type === 'settled') break;
  }
  return length === 0 ? null : joinSamples(pieces);
}
