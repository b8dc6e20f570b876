import type { Compilable } from 'kysely';
import type { Connection, ReadFirst } from './database-types.ts';

/**
 * A read of at most one row by one text, compiled at its first use: for frequent polls, where
 * building the SQL would cost more than running it. `build` is called once with a placeholder for
 * the text; the query must have no other parameter (use `eb.lit` for constants).
 */
export function compileRead<Row>(
  { prepareRead }: Connection,
  build: (key: string) => Compilable<Row>,
): (key: string) => ReturnType<ReadFirst<Row>> {
  let read: ReadFirst<Row> | null = null;
  return (key) => {
    read ??= prepareRead(build('').compile());
    return read(key);
  };
}
