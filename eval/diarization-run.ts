import { rename, writeFile } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';
import type { Diarizer } from '@jyutsing/contracts/diarizer';
import { loadEngines } from '@jyutsing/engines/registry';
import { findAnnotated, findVoices, type SpeakerGroup, type Voice } from './conversations-voices.ts';
import { speechStretches } from './conversations-activity.ts';
import { makeConversations } from './conversations.ts';
import { readRttm } from './diarization-error.ts';
import {
  diarizationRow,
  diarizeOne,
  type Annotated,
  type DiarizationRow,
  type Diarized,
} from './diarization-evaluation.ts';
import { diarizationReport } from './diarization-report.ts';
import { startProgress } from './progress.ts';
import type { EvaluationOptions } from './run.ts';
import { readSamples } from './sound.ts';

/** What is measured besides what all evaluations are told. */
export type DiarizationOptions = Pick<EvaluationOptions, 'places' | 'place' | 'jsonPath' | 'format'> & {
  group: SpeakerGroup;
  /** Conversations of each number of speakers. */
  conversations: number;
  speakerCounts: readonly number[];
  withMeetings: boolean;
};

type AnnotatedSet = {
  name: string;
  speakers: number | null;
  recordings: () => AsyncIterable<Annotated>;
  count: number;
};

/**
 * Measures every available diarizer on conversations made of recordings of single speakers, on single recordings, and on annotated
 * meetings; prints the table. The exit status is 1 when a recording failed. Throws `invalid_parameter` where there are no recordings.
 */
export async function runDiarization(options: DiarizationOptions): Promise<number> {
  const registry = await loadEngines(options.place);
  const { env } = options.place;
  const engines = registry.ranked('diarizer').filter((engine) => engine.availability(env).available);
  if (engines.length === 0) throw new AppError('engine_unavailable', 'There is no diarizer on this server.');
  const sets = await collectSets(options);
  const rows: DiarizationRow[] = [];
  for (const engine of engines) {
    const diarizer = await engine.open(env);
    const together: Diarized[] = [];
    for (const set of sets) {
      const details = await diarizeAll(diarizer, engine.name, set);
      rows.push(diarizationRow(set.name, engine.name, details));
      if ((set.speakers ?? 0) > 1) together.push(...details);
      await writeJson(options.jsonPath, rows);
    }
    if (together.length > 0) rows.push(diarizationRow('all conversations', engine.name, together));
    await diarizer.close();
    await writeJson(options.jsonPath, rows);
  }
  console.log(diarizationReport(rows, options.format));
  return rows.some(({ failed }) => failed > 0) ? 1 : 0;
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

async function collectSets(options: DiarizationOptions): Promise<AnnotatedSet[]> {
  const { group, conversations: count } = options;
  const folders = [...options.places.folders, ...options.places.sets];
  const voices = await findVoices(folders, group);
  const sets: AnnotatedSet[] = [];
  if (voices.length > 0) {
    // Recordings are read again for each number of speakers: all of them at once would take gigabytes.
    for (const speakers of options.speakerCounts) {
      const name = speakers === 1 ? '1 speaker with pauses' : `${speakers} speakers`;
      sets.push({ name, speakers, count, recordings: () => makeConversations(voices, speakers, count, readSamples) });
    }
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
    sets.push({ name: 'meetings', speakers: null, count: meetings.length, recordings });
  }
  if (sets.length > 0) return sets;
  throw new AppError(
    'invalid_parameter',
    `There are no recordings of ${group} speakers: name a folder with --sets, or put it into EVAL_SETS.`,
  );
}

/** The first recording of each speaker as it is. */
async function* alone(voices: readonly Voice[]): AsyncGenerator<Annotated> {
  for (const { table, speaker, paths } of voices) {
    const samples = await readSamples(paths[0]!);
    const turns = speechStretches(samples).map((stretch) => ({ ...stretch, speaker }));
    yield { name: `${table}/${speaker}`, samples, turns };
  }
}

async function writeJson(path: string | null, rows: readonly DiarizationRow[]): Promise<void> {
  if (path === null) return;
  const report = { version: 1, measuredAt: new Date().toISOString(), node: process.version, kind: 'diarization', rows };
  await writeFile(`${path}.part`, `${JSON.stringify(report, null, 1)}\n`);
  await rename(`${path}.part`, path);
}
