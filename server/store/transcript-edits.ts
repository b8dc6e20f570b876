import type { Kysely } from 'kysely';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptEdit } from '@jyutsing/contracts/transcription';
import { toJson, type Database } from './database-types.ts';
import { measureTexts } from './stored-texts.ts';

/** Saves what a person changed; see `TranscriptionRepository.saveEdit`. */
export async function saveEdit(
  transaction: Kysely<Database>,
  id: string,
  accountId: string,
  { title, edit }: { title?: string | null; edit?: TranscriptEdit },
  expectedVersion: number | null,
): Promise<Database['transcriptions'] | null> {
  const row = await transaction
    .updateTable('transcriptions')
    .set((eb) => ({
      ...(title === undefined ? {} : { title }),
      ...(edit === undefined ? {} : { edit: toJson(edit) }),
      edit_version: eb('edit_version', '+', 1),
      edited_at_ms: Date.now(),
    }))
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .$if(expectedVersion !== null, (query) => query.where('edit_version', '=', expectedVersion ?? 0))
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) {
    await measureTexts(transaction, [id]);
    return row;
  }
  const present = await transaction
    .selectFrom('transcriptions')
    .select('edit_version')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (present === undefined) return null;
  throw new AppError(
    'conflict',
    `This transcript was saved meanwhile and has version ${present.edit_version} now; read it again, or send "If-Match: *" to replace it.`,
  );
}
