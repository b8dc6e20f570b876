import type { Connection } from './database-types.ts';

/** The identity of a database, by which stored files are found to belong to it. */
export type IdentityRepository = {
  find(): Promise<{
    databaseId: string;
    /** Nothing that is older belongs to this database, or to the one that was moved to it. */
    sinceMs: number;
    /** The id of the database that was moved to this one, until `forgetMove`. */
    movedFrom: string | null;
  }>;
  /** This database goes on with what the other had. */
  noteMove(from: { databaseId: string; sinceMs: number }): Promise<void>;
  forgetMove(): Promise<void>;
};

export function createIdentityRepository({ reader, writer }: Connection): IdentityRepository {
  return {
    async find() {
      const row = await reader.selectFrom('database_identity').selectAll().executeTakeFirstOrThrow();
      return { databaseId: row.database_id, sinceMs: row.since_ms, movedFrom: row.moved_from };
    },

    async noteMove({ databaseId, sinceMs }) {
      await writer.updateTable('database_identity').set({ moved_from: databaseId, since_ms: sinceMs }).execute();
    },

    async forgetMove() {
      await writer
        .updateTable('database_identity')
        .set({ moved_from: null })
        .where('moved_from', 'is not', null)
        .execute();
    },
  };
}
