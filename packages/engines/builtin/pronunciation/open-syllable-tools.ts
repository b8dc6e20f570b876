import { dirname } from 'node:path';
import { PASS_MARKS } from '@jyutsing/contracts/pronunciation';
import { createDecoder } from '#engines/builtin/decoder/index.ts';
import type { AcousticLabels, SyllabicLanguage } from '#engines/builtin/decoder/types.ts';
import { modelFiles } from '#engines/builtin/model-files.ts';
import { readCalibration } from './calibration.ts';
import type { SyllableTools } from './recognize-attempts.ts';
import { createSegmentScorer } from './segment-evidence.ts';
import { syllableSounds } from './syllable-sounds.ts';
import { createToneJudge } from './tones/create-tone-judge.ts';

/**
 * Opens everything but the acoustic model for scoring a syllable-based language. Throws
 * `engine_unavailable` when a file is missing or damaged.
 */
export async function openSyllableTools(
  modelsDir: string,
  language: SyllabicLanguage,
  labels: AcousticLabels,
): Promise<SyllableTools> {
  const files = modelFiles(modelsDir, language);
  const calibration = await readCalibration(dirname(files.acoustic));
  const tools = {
    sounds: syllableSounds(language, labels, calibration.syllables),
    calibration,
    passMark: PASS_MARKS[language],
    scoreSegments: createSegmentScorer(labels),
    judgeTones: createToneJudge(language, modelsDir),
  };
  if (language === 'cantonese') return { ...tools, decode: null };
  const decoder = createDecoder({ language, labels, languageModelPath: files.languageModel });
  return { ...tools, decode: ({ posteriors }) => decoder.decode(posteriors) };
}
