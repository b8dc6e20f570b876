import { AppError } from '@jyutsing/contracts/errors';
import type { Diarizer } from '@jyutsing/contracts/diarizer';
import { loadEngines } from '@jyutsing/engines/registry';
import { findAnnotated, findVoices, type SpeakerGroup, type Voice } from './find-voices.ts';
import { speechStretches } from './speech-stretches.ts';
import { FAR, makeConversations, NEAR } from './conversations.ts';
import { readRttm } from './diarization-error.ts';
import { takeExcerpt } from './take-excerpt.ts';
import {
  diarizationRow,
  diarizeOne,
  type Annotated,
  type DiarizationRow,
  type Diarized,
} from './diarize-recordings.ts';
import { asLive } from './live-diarizer.ts';
import { diarizationReport } from './diarization-report.ts';
import { startProgress } from '../progress.ts';
import { writeJson, type EvaluationOptions } from '../run.ts';
import { readSamples } from '../sound.ts';

/** Options of `eval diarization`. */
export type DiarizationOptions = Pick<EvaluationOptions, 'locations' | 'place' | 'jsonPath' | 'format'> & {
  group: SpeakerGroup;
  /** Number of conversations per speaker count. */
  conversations: number;
  speakerCounts: readonly number[];
  withMeetings: boolean;
  /** Speakers are told apart as in a live session. */
  isLive?: boolean;
  /** Conversations in rooms, far from the microphone. */
  isFar?: boolean;
};

/** An excerpt is as long as a short voice message, which has little of each speaker. */
const EXCERPT_MS = 30_000;

type AnnotatedSet = {
  name: string;
  speakers: number | null;
  recordings: () => AsyncIterable<Annotated>;
  count: number;
};

/**
 * Measures every available diarizer on simulated conversations, on single recordings and on
 * annotated meetings, and prints the table. Exit status 1 when a recording failed. Throws
 * `invalid_parameter` without recordings.
 */
export async function runDiarization(options: DiarizationOptions): Promise<number> {
  const rows = await measureDiarizers(options, (done) => writeJson(options, { kind: 'diarization', rows: done }));
  console.log(diarizationReport(rows, options.format));
  return rows.some(({ failed }) => failed > 0) ? 1 : 0;
}

/** Name of the row that sums up conversations of two and more people. */
export const ALL_CONVERSATIONS = 'all conversations';
/** Name of the row of the annotated meetings. */
export const MEETINGS = 'meetings';
/** Name of the row of the same turns, scored by the convention of the references. */
const MEETINGS_CLOSED = 'meetings, pauses to 0.8 s closed';

/**
 * Measures every available diarizer, or those of the engine `only`. `onRows` gets the rows so far.
 * Throws as `runDiarization`.
 */
export async function measureDiarizers(
  options: Omit<DiarizationOptions, 'jsonPath' | 'format'> & { only?: string },
  onRows: (rows: readonly DiarizationRow[]) => Promise<void>,
): Promise<DiarizationRow[]> {
  const registry = await loadEngines(options.place);
  const { only } = options;
  const refs = registry.selectAll('diarizer').filter(({ engine }) => only === undefined || engine === only);
  if (refs.length === 0) throw new AppError('engine_unavailable', 'No diarizer is available.');
  const sets = await collectSets(options);
  const rows: DiarizationRow[] = [];
  for (const ref of refs) {
    const opened = await registry.open(ref);
    const diarizer = options.isLive === true ? asLive(opened) : opened;
    const together: Diarized[] = [];
    for (const set of sets) {
      const details = await diarizeAll(diarizer, ref.engine, set);
      rows.push(diarizationRow(set.name, ref.engine, details));
      if (set.name === MEETINGS) {
        const closed = details.map((detail) => ({ ...detail, ...detail.closed }));
        rows.push(diarizationRow(MEETINGS_CLOSED, ref.engine, closed));
      }
      if ((set.speakers ?? 0) > 1) together.push(...details);
      await onRows(rows);
    }
    if (together.length > 0) rows.push(diarizationRow(ALL_CONVERSATIONS, ref.engine, together));
    await diarizer.close();
    await onRows(rows);
  }
  return rows;
}

async function diarizeAll(diarizer: Diarizer, name: string, set: AnnotatedSet): Promise<Diarized[]> {
  const progress = startProgress(`${set.name}, ${name}`, set.count);
  const details: Diarized[] = [];
  for await (const recording of set.recordings()) {
    details.push(await diarizeOne(diarizer, recording));
    progress.done(details.length);
  }
  progress.finish(`${details.length} recordings`);
  return details;
}

async function collectSets(
  options: Pick<
    DiarizationOptions,
    'locations' | 'group' | 'conversations' | 'speakerCounts' | 'withMeetings' | 'isFar'
  >,
): Promise<AnnotatedSet[]> {
  const { group, conversations: count } = options;
  const folders = [...options.locations.folders, ...options.locations.sets];
  const voices = await findVoices(folders, group);
  const sets: AnnotatedSet[] = [];
  const converse = (speakers: number) =>
    makeConversations(voices, speakers, count, readSamples, options.isFar === true ? FAR : NEAR);
  if (voices.length > 0) {
    // Reads the recordings again for each number of speakers: all at once would take gigabytes.
    for (const speakers of options.speakerCounts) {
      const name = speakers === 1 ? '1 speaker with pauses' : `${speakers} speakers`;
      sets.push({ name, speakers, count, recordings: () => converse(speakers) });
    }
    const excerpts = async function* (): AsyncGenerator<Annotated> {
      for (const speakers of options.speakerCounts) {
        for await (const conversation of converse(speakers)) {
          yield takeExcerpt(conversation, EXCERPT_MS);
        }
      }
    };
    const excerptCount = options.speakerCounts.length * count;
    sets.push({ name: 'their first half-minutes', speakers: null, count: excerptCount, recordings: excerpts });
    if (options.speakerCounts.includes(1)) {
      sets.push({ name: 'one recording alone', speakers: 1, count: voices.length, recordings: () => alone(voices) });
    }
  }
  const meetings = options.withMeetings ? await findAnnotated(folders) : [];
  if (meetings.length > 0) {
    const recordings = async function* (): AsyncGenerator<Annotated> {
      for (const { path, rttmPath } of meetings) {
        yield { name: path, samples: await readSamples(path), turns: await readRttm(rttmPath) };
      }
    };
    sets.push({ name: MEETINGS, speakers: null, count: meetings.length, recordings });
  }
  if (sets.length > 0) return sets;
  throw new AppError(
    'invalid_parameter',
    `No recordings of ${group} speakers found: name a folder with --sets or in EVAL_SETS.`,
  );
}

/** The first recording of each speaker, unmodified. */
async function* alone(voices: readonly Voice[]): AsyncGenerator<Annotated> {
  for (const { table, speaker, paths } of voices) {
    const samples = await readSamples(paths[0]!);
    const turns = speechStretches(samples).map((stretch) => ({ ...stretch, speaker }));
    yield { name: `${table}/${speaker}`, samples, turns };
  }
}
