import type { Compilable } from 'kysely';
import type { Connection, ReadFirst } from './database-types.ts';

/**
 * A read of at most one row by one text, built and compiled at its first use: for what every poll asks, where building the
 * SQL would cost more than running it. `build` is called once, with a text that stands for the later ones; the query must
 * have that one parameter and no other (constants go in with `eb.lit`).
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
