import { toAppError } from '@jyutsing/contracts/errors';
import { ALL_CONVERSATIONS, measureDiarizers, MEETINGS } from '../diarization/run-diarization.ts';
import { createMeasured, right, wrong, type Measured } from './figures.ts';
import type { PeopleOptions } from './people-options.ts';

const ROWS = [
  { set: MEETINGS, error: 'meetingsError', count: 'meetingsCount' },
  { set: ALL_CONVERSATIONS, error: 'conversationsError', count: 'conversationsCount' },
] as const;

/** The built-in diarizer on meetings and on conversations of speakers that it does not know. */
export async function measureSpeakers({ folders, sizes, place }: PeopleOptions): Promise<Measured> {
  const measured = createMeasured();
  const { conversations, speakerCounts } = sizes;
  const locations = { sets: [], folders };
  const diarizationOptions = {
    locations,
    place,
    group: 'held-out',
    conversations,
    speakerCounts,
    withMeetings: true,
  } as const;
  const rows = await measureDiarizers({ ...diarizationOptions, only: 'builtin' }, async () => {}).catch(
    (thrown: unknown) => {
      const error = toAppError(thrown);
      if (error.code !== 'invalid_parameter') throw error;
      return [];
    },
  );
  for (const { set, error, count } of ROWS) {
    const row = rows.find((candidate) => candidate.set === set);
    if (row === undefined || row.recordings === 0) {
      measured.skipped.push(`${set}: no recordings`);
      continue;
    }
    if (row.failed > 0) measured.failures.push(`${set}: failed on ${row.failed} of ${row.recordings} recordings`);
    const of = `${row.recordings} recordings`;
    measured.figures.push(wrong(error, of, row.error), right(count, of, row.wrongCount));
  }
  return measured;
}
