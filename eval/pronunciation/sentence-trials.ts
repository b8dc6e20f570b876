import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import type { Scorer } from '#packages/engines/builtin/pronunciation/types.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { errorRate, type ErrorRate } from '../score.ts';
import { readSamples } from '../sound.ts';
import { speakToWav } from '../tts/spoken-set.ts';
import type { EngineLocation } from '../tasks.ts';
import { CONDITIONS, degrade, type Condition } from './degrade.ts';
import { PASS_MARKS } from '@jyutsing/contracts/pronunciation';
import { analyzeRecording, OTHER_TEXT_MARK } from './analyze-recording.ts';
import { spreadOf, type Spread } from './learner-figures.ts';
import { otherTexts } from './other-texts.ts';

/** A sentence in one of our voices, scored against its own text and others of similar length. */
export type SentenceTrial = {
  language: Language;
  condition: Condition;
  text: string;
  voice: string;
  /** 0 if the service refuses it. */
  own: number;
  others: { text: string; score: number }[];
  refused: string | null;
};

export type SentenceFigures = {
  language: Language;
  condition: Condition;
  refused: number;
  /** Goal of our own voices with their own text. */
  goalMark: number;
  own: Spread & { atGoal: ErrorRate; passed: ErrorRate };
  other: Spread & { below: ErrorRate; highest: number };
  /** Own texts with the lowest scores. */
  lowest: { text: string; voice: string; score: number }[];
};

/** Minimum score of the right text in our own voices. */
const GOAL_MARKS: Readonly<Record<Language, number>> = { cantonese: 90, mandarin: 85, english: 85 };
const OTHERS_OF_EACH = 3;
const LOWEST_SHOWN = 4;

/**
 * Synthesizes sentences with alternating voices and scores each clean, with noise, by telephone and
 * in a room.
 */
export async function runSentenceTrials(
  input: { language: Language; sentences: readonly string[]; voices: readonly SynthesisVoice[]; model: string },
  scorer: Scorer,
  place: EngineLocation,
  onProgress: (count: number) => void,
): Promise<SentenceTrial[]> {
  const { language, sentences, voices, model } = input;
  const otherIndexes = otherTexts(sentences, OTHERS_OF_EACH);
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-pronunciation-'));
  const trials: SentenceTrial[] = [];
  try {
    const path = join(folder, 'sentence.wav');
    for (const [index, text] of sentences.entries()) {
      const voice = voices[index % voices.length]!;
      await writeFile(path, await speakToWav(text, language, voice, { model, temperature: 0.9 }, place));
      const spoken = await readSamples(path);
      const against = otherIndexes[index]!.map((other) => sentences[other]!);
      for (const condition of CONDITIONS) {
        const samples = degrade(spoken, condition, index + 1);
        await writeFile(path, wavBytes({ sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, channels: [samples] }));
        const scores = await scoreTexts(scorer, path, language, [text, ...against]);
        trials.push({ language, condition, text, voice: voice.id, ...scores });
      }
      onProgress(index + 1);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return trials;
}

/** Scores one recording against its own text (the first) and the others. */
async function scoreTexts(scorer: Scorer, path: string, language: Language, texts: readonly string[]) {
  const analysis = await analyzeRecording(scorer, path);
  if ('refused' in analysis) return { own: 0, others: [], refused: analysis.refused };
  const scores: { text: string; score: number }[] = [];
  for (const text of texts) {
    scores.push({ text, score: scorer.assess(analysis, await readTarget(text, language)).score });
  }
  return { own: scores[0]!.score, others: scores.slice(1), refused: null };
}

/** Figures per condition; intervals are by recording. */
export function sentenceFigures(language: Language, trials: readonly SentenceTrial[]): SentenceFigures[] {
  const goalMark = GOAL_MARKS[language];
  return CONDITIONS.map((condition) => {
    const here = trials.filter((trial) => trial.condition === condition);
    const otherScores = here.map((trial) => trial.others.map(({ score }) => score));
    const ownScores = here.map((trial) => [trial.own]);
    return {
      language,
      condition,
      refused: here.filter(({ refused }) => refused !== null).length,
      goalMark,
      own: {
        ...spreadOf(ownScores.flat()),
        atGoal: share(ownScores, (score) => score >= goalMark),
        passed: share(ownScores, (score) => score >= PASS_MARKS[language]),
      },
      other: {
        ...spreadOf(otherScores.flat()),
        below: share(otherScores, (score) => score < OTHER_TEXT_MARK),
        highest: Math.max(...otherScores.flat()),
      },
      lowest: here
        .map(({ text, voice, own: score }) => ({ text, voice, score }))
        .sort((a, b) => a.score - b.score)
        .slice(0, LOWEST_SHOWN),
    };
  });
}

function share(lists: readonly (readonly number[])[], holds: (score: number) => boolean): ErrorRate {
  return errorRate(lists.map((list) => ({ errors: list.filter(holds).length, length: list.length, speaker: null })));
}
