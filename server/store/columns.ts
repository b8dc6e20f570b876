/** A value kept as JSON text. The type parameter exists for the compiler only. */
export type JsonText<T> = string & { readonly __json?: T };

/** `createdAtMs` → `created_at_ms`. */
type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : '';

type ColumnOf<Value> = Value extends string | number | null ? Value : JsonText<Value>;

/**
 * The columns that store the fields of a record: named in snake case, objects and lists as JSON.
 */
export type Columns<Fields> = { [Name in keyof Fields & string as SnakeCase<Name>]: ColumnOf<Fields[Name]> };

/** How a column is read: as it is, or parsed from JSON. */
export type Encoding = 'plain' | 'json';

export type FieldList<Fields> = { readonly [Name in keyof Fields]: Encoding };

/** Writes fields as columns. Times (`…Ms`) are rounded to whole milliseconds. */
export function toColumns<Fields extends object>(fields: Fields): Columns<Fields> {
  const columns = Object.entries(fields).map(([name, value]: [string, unknown]) => [
    toSnakeCase(name),
    encode(name, value),
  ]);
  return Object.fromEntries(columns) as Columns<Fields>;
}

/** Reads the listed fields from a row. */
export function fromColumns<Fields>(list: FieldList<Fields>, row: object): Fields {
  const values = new Map<string, unknown>(Object.entries(row));
  const fields = Object.entries<Encoding>(list).map(([name, encoding]) => {
    const value = values.get(toSnakeCase(name));
    return [name, encoding === 'json' && typeof value === 'string' ? JSON.parse(value) : value];
  });
  return Object.fromEntries(fields) as Fields;
}

export function columnNames<Fields>(list: FieldList<Fields>): (keyof Columns<Fields>)[] {
  return Object.keys(list).map(toSnakeCase) as (keyof Columns<Fields>)[];
}

function encode(name: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'number' && name.endsWith('Ms') ? Math.round(value) : value;
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
