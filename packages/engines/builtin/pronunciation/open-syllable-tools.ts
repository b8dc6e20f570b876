import { dirname } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { PASS_MARKS } from '@jyutsing/contracts/pronunciation';
import { createDecoder } from '#engines/builtin/decoder/index.ts';
import type { AcousticLabels, SyllabicLanguage } from '#engines/builtin/decoder/types.ts';
import { modelFiles } from '#engines/builtin/model-files.ts';
import { readCalibration } from './calibration.ts';
import type { SyllableTools } from './recognize-attempts.ts';
import { createEvidenceScorer } from './pooled-evidence.ts';
import { syllableSounds } from './syllable-sounds.ts';
import { MAX_RELIEF, NO_MORE_RELIEF } from './unfamiliar-voice.ts';
import { createToneJudge } from './tones/create-tone-judge.ts';

/**
 * Opens everything but the acoustic models for scoring a syllable-based language. `labels` are
 * those of the first model, `further` those of another one beside it. Throws `engine_unavailable`
 * when a file is missing or damaged, or when the models do not tell the same sounds apart.
 */
export async function openSyllableTools(
  modelsDir: string,
  language: SyllabicLanguage,
  labels: AcousticLabels,
  further: AcousticLabels | null = null,
): Promise<SyllableTools> {
  const files = modelFiles(modelsDir, language);
  const read = await readCalibration(dirname(files.acoustic));
  if (further !== null) requireSameSounds(labels, further);
  const pooled = further === null ? null : read.pooled;
  const calibration = { ...read, ...pooled };
  const tools = {
    sounds: syllableSounds(language, labels, calibration.syllables),
    calibration,
    passMark: PASS_MARKS[language],
    scoreSegments: createEvidenceScorer(pooled?.weights ?? null),
    mostRelief: pooled === null ? MAX_RELIEF : NO_MORE_RELIEF,
    fluent: pooled?.fluent ?? null,
    judgeTones: createToneJudge(language, modelsDir, pooled?.tones),
  };
  if (language === 'cantonese') return { ...tools, decode: null };
  const decoder = createDecoder({ language, labels, languageModelPath: files.languageModel });
  return { ...tools, decode: ({ posteriors }) => decoder.decode(posteriors) };
}

const soundsOf = ({ onsets, rimes, tones }: AcousticLabels): string => JSON.stringify([onsets, rimes, tones]);

function requireSameSounds(a: AcousticLabels, b: AcousticLabels): void {
  if (soundsOf(a) === soundsOf(b)) return;
  throw new AppError('engine_unavailable', 'The built-in models tell different sounds apart; reinstall the project.');
}
