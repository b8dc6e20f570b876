import type { Compilable, CompiledQuery } from 'kysely';
import type { Connection } from './database-types.ts';

/**
 * A read of at most one row by one text, built and compiled at its first use: for what every poll asks, where building the
 * SQL would cost more than running it. `build` is called once, with a text that stands for the later ones; the query must
 * have that one parameter and no other (constants go in with `eb.lit`).
 */
export function compileRead<Row>(
  connection: Connection,
  build: (key: string) => Compilable<Row>,
): (key: string) => Row | undefined | Promise<Row | undefined> {
  let compiled: CompiledQuery<Row> | null = null;
  return (key) => {
    compiled ??= build('').compile();
    return connection.readFirst({ ...compiled, parameters: [key] });
  };
}
