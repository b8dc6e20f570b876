import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import type { PronunciationAssessment } from '@jyutsing/contracts/pronunciation';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import type { Scorer } from '#packages/engines/builtin/pronunciation/types.ts';
import { spread } from '../run.ts';
import { alignTokens } from '../speaking/align-tokens.ts';
import { hearFile } from './hear-file.ts';
import { isTestLearner } from './held-out.ts';
import { otherTexts } from './other-texts.ts';
import { readFirst, readTable } from './tables.ts';

/** What raters or the machine say of a sentence: raters 0–10, the machine 0–100. */
type SentenceScores = { accuracy: number; fluency: number; total: number };

export type LearnerRecording = {
  path: string;
  text: string;
  speaker: string;
  ageYears: number;
  human: SentenceScores;
  words: { text: string; accuracy: number }[];
};

/** `human` scores are 0–10, `machine` ones 0–100; `refused` is the code of the error where the service would refuse the recording. */
export type LearnerTrial = {
  speaker: string;
  ageYears: number;
  human: SentenceScores;
  /** Null for what is refused. */
  machine: (SentenceScores & { integrity: number }) | null;
  refused: string | null;
  words: { human: number; machine: number }[];
  /** The score against the sentence of another recording with as many words; null for what is refused. */
  shuffled: number | null;
};

const TABLE = 'eng-learners-train';
const WordsLine = z.object({
  utt: z.string(),
  words: z.array(z.object({ text: z.string(), accuracy: z.number() })),
});

/** The recordings of the learners who were held out of all training, at most `limit` spread over them; null without their table. */
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

/** Scores every recording against its own sentence and against another one; `onDone` hears how many are done. */
export async function runLearnerTrials(
  recordings: readonly LearnerRecording[],
  scorer: Scorer,
  onDone: (count: number) => void,
): Promise<LearnerTrial[]> {
  const others = otherTexts(recordings.map(({ text }) => text));
  const trials: LearnerTrial[] = [];
  for (const [index, { path, text, speaker, ageYears, human, words }] of recordings.entries()) {
    const hearing = await hearFile(scorer, path);
    const known = { speaker, ageYears, human };
    if ('refused' in hearing) {
      trials.push({ ...known, machine: null, refused: hearing.refused, words: [], shuffled: null });
    } else {
      const own = scorer.assess(hearing, await readTarget(text, 'english'));
      const other = scorer.assess(hearing, await readTarget(recordings[others[index]![0]!]!.text, 'english'));
      const { score: total, accuracyScore: accuracy, fluencyScore: fluency, integrityScore: integrity } = own;
      const machine = { accuracy, fluency, total, integrity };
      trials.push({ ...known, machine, refused: null, words: pairWords(words, own), shuffled: other.score });
    }
    onDone(trials.length);
  }
  return trials;
}

/** Words as raters and the machine scored them, where both have the same word. */
function pairWords(rated: LearnerRecording['words'], own: PronunciationAssessment): LearnerTrial['words'] {
  if (own.language !== 'english') return [];
  const scored = own.words;
  const pairs = alignTokens(rated.map(token), scored.map(token), (text) => text.split(' ', 1)[0] ?? '');
  return pairs.map(([human, machine]) => ({
    human: rated[placeOf(human)]!.accuracy,
    machine: scored[placeOf(machine)]!.score,
  }));
}

/** A word as it is compared; its place goes with it through the alignment. */
function token({ text }: { text: string }, index: number): string {
  return `${text.toLowerCase().replaceAll(/[^a-z]/g, '')} ${index}`;
}

function placeOf(token: string): number {
  return Number(token.split(' ')[1]);
}
