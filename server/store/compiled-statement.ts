import type { Compilable, CompiledQuery, DialectAdapter, Kysely, QueryResult } from 'kysely';
import type { Database } from './database-types.ts';

type AnyValues = Readonly<Record<string, string | number | null>>;

/** Stands for a value while a statement is compiled. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement that is compiled once for each kind of database, for frequent ones: building the SQL
 * costs more than running it. `build` gets placeholders in the place of the values: it may hand
 * them to kysely, but not compute with them or look at them.
 */
export function compileStatement<Values extends AnyValues, Row>(
  build: (database: Kysely<Database>, values: Values) => Compilable<Row>,
): (database: Kysely<Database>, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  const compile = (database: Kysely<Database>, values: Values) => {
    const placeholders = Object.keys(values).map((name) => [name, new Placeholder(name)]);
    return build(database, Object.fromEntries(placeholders) as Values).compile();
  };
  return (database, values) => {
    const { adapter } = database.getExecutor();
    const statement = compiled.get(adapter) ?? compile(database, values);
    compiled.set(adapter, statement);
    const parameters = statement.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name] : parameter,
    );
    return database.executeQuery({ ...statement, parameters });
  };
}
