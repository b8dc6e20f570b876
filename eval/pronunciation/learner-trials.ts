import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import {
  PASS_MARKS,
  type PronunciationAssessment,
  type PronunciationTarget,
  type TargetWord,
} from '@jyutsing/contracts/pronunciation';
import { editDistance } from '@jyutsing/numeric/edit-distance';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import type { Scorer } from '#packages/engines/builtin/pronunciation/types.ts';
import { rivalNumbers } from '#packages/engines/builtin/pronunciation/wording-costs.ts';
import { spread } from '../run.ts';
import { alignTokens } from '../tts/align-tokens.ts';
import { analyzeRecording } from './analyze-recording.ts';
import { isTestLearner } from './held-out.ts';
import { otherTexts } from './other-texts.ts';
import { readFirst, readTable } from './tables.ts';

/** Scores of a sentence: ratings 0–10, machine scores 0–100. */
type SentenceScores = { accuracy: number; fluency: number; total: number };

type LearnerRecording = {
  path: string;
  text: string;
  speaker: string;
  ageYears: number;
  human: SentenceScores;
  words: { text: string; accuracy: number }[];
};

/**
 * `human` ratings are 0–10, `machine` scores 0–100; `refused` is the error code if the service
 * refuses the recording.
 */
export type LearnerTrial = {
  speaker: string;
  ageYears: number;
  human: SentenceScores;
  /** The scores of the service are null if it refused the recording. */
  machine: (SentenceScores & { integrity: number }) | null;
  refused: string | null;
  words: { human: number; machine: number }[];
  /** Score against the sentence of another recording with as many words; null if refused. */
  shuffled: number | null;
  /**
   * Whether a sentence with a number passes, and the same with the most similar other number; null
   * without a number, and if refused.
   */
  number: { passed: boolean; misreadPassed: boolean } | null;
};

const TABLE = 'eng-learners-train';
const WordsLine = z.object({
  utt: z.string(),
  words: z.array(z.object({ text: z.string(), accuracy: z.number() })),
});

/** Recordings of held-out learners, at most `limit`, evenly spread; null without their table. */
export async function findLearners(folders: readonly string[], limit: number): Promise<LearnerRecording[] | null> {
  const table = await readTable(folders, TABLE);
  if (table === null) return null;
  const lines = ((await readFirst(folders, `${TABLE}.words.jsonl`))?.text ?? '').split('\n').filter(Boolean);
  const words = new Map(lines.map((line) => WordsLine.parse(JSON.parse(line))).map((line) => [line.utt, line.words]));
  const held = table.rows.filter((row) => isTestLearner(row['speaker'] ?? ''));
  return spread(held, limit).map((row) => {
    const file = row['file'] ?? '';
    return {
      path: join(table.folder, file),
      text: row['text'] ?? '',
      speaker: row['speaker'] ?? '',
      ageYears: Number(row['age']),
      human: { accuracy: Number(row['accuracy']), fluency: Number(row['fluency']), total: Number(row['total']) },
      words: words.get(basename(file, extname(file))) ?? [],
    };
  });
}

/** Scores each recording against its own sentence and another one. */
export async function runLearnerTrials(
  recordings: readonly LearnerRecording[],
  scorer: Scorer,
  onProgress: (count: number) => void,
): Promise<LearnerTrial[]> {
  const otherIndexes = otherTexts(recordings.map(({ text }) => text));
  const trials: LearnerTrial[] = [];
  for (const [index, { path, text, speaker, ageYears, human, words }] of recordings.entries()) {
    const analysis = await analyzeRecording(scorer, path);
    const rating = { speaker, ageYears, human };
    if ('refused' in analysis) {
      trials.push({ ...rating, machine: null, refused: analysis.refused, words: [], shuffled: null, number: null });
    } else {
      const target = await readTarget(text, 'english');
      const ownAssessment = scorer.assess(analysis, target);
      const misread = withOtherNumber(target);
      const number = misread && {
        passed: hasPassed(ownAssessment),
        misreadPassed: hasPassed(scorer.assess(analysis, misread)),
      };
      const other = scorer.assess(analysis, await readTarget(recordings[otherIndexes[index]![0]!]!.text, 'english'));
      const { score: total, accuracyScore: accuracy, fluencyScore: fluency, integrityScore: integrity } = ownAssessment;
      const machine = { accuracy, fluency, total, integrity };
      trials.push({
        ...rating,
        machine,
        refused: null,
        words: pairWords(words, ownAssessment),
        shuffled: other.score,
        number,
      });
    }
    onProgress(trials.length);
  }
  return trials;
}

const hasPassed = ({ score }: PronunciationAssessment) => score >= PASS_MARKS.english;
const phonesOf = ({ pronunciations }: TargetWord) => pronunciations[0]!.join(' ');

/** Exchanges the first number of a text for the one of its kind with the most similar sounds. */
function withOtherNumber(target: PronunciationTarget): PronunciationTarget | null {
  if (target.language !== 'english' || target.numbers === undefined) return null;
  const { units, numbers } = target;
  const rivals = units.map(({ text }) => rivalNumbers(text, numbers));
  const at = rivals.findIndex(({ length }) => length > 0);
  const word = units[at];
  if (word?.kind !== 'word') return null;
  const [nearest] = rivals[at]!.map((number) => ({
    number,
    distance: editDistance(phonesOf(number), phonesOf(word)),
  })).toSorted((one, other) => one.distance - other.distance);
  return { ...target, units: units.with(at, { ...nearest!.number, afterPause: word.afterPause }) };
}

/** Pairs rated and scored words that are the same. */
function pairWords(rated: LearnerRecording['words'], assessment: PronunciationAssessment): LearnerTrial['words'] {
  if (assessment.language !== 'english') return [];
  const scored = assessment.words;
  const pairs = alignTokens(rated.map(token), scored.map(token), (text) => text.split(' ', 1)[0] ?? '');
  return pairs.map(([human, machine]) => ({
    human: rated[indexOf(human)]!.accuracy,
    machine: scored[indexOf(machine)]!.score,
  }));
}

/** Token for alignment: the word with its index. */
function token({ text }: { text: string }, index: number): string {
  return `${text.toLowerCase().replaceAll(/[^a-z]/g, '')} ${index}`;
}

function indexOf(token: string): number {
  return Number(token.split(' ')[1]);
}
