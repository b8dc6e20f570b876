import { describe, expect, it } from 'vitest';
import { columnNames, fromColumns, toColumns, type FieldList } from './columns.ts';

type Fields = { id: string; createdAtMs: number; blobKey: string | null; options: { words: string[] } | null };
const LIST: FieldList<Fields> = { id: 'plain', createdAtMs: 'plain', blobKey: 'plain', options: 'json' };

describe('fields as columns', () => {
  it('have names in snake case, and JSON for objects and lists', () => {
    expect(toColumns({ id: 'a', createdAtMs: 5, blobKey: null, options: { words: ['粵'] }, tags: [] })).toEqual({
      id: 'a',
      created_at_ms: 5,
      blob_key: null,
      options: '{"words":["粵"]}',
      tags: '[]',
    });
  });

  it.each([
    ['startMs', 1.4, 'start_ms', 1],
    ['startMs', 1.5, 'start_ms', 2],
    ['score', 1.5, 'score', 1.5],
    ['items', 1.5, 'items', 1.5],
    ['aBC', 1, 'a_b_c', 1],
  ])('%s = %d is %s = %d', (name, value, column, stored) => {
    expect(toColumns({ [name]: value })).toEqual({ [column]: stored });
  });

  it.each<Fields>([
    { id: '', createdAtMs: 0, blobKey: null, options: null },
    { id: "'; DROP TABLE x; --", createdAtMs: 2 ** 52, blobKey: 'null', options: { words: [] } },
    { id: '{"a":1}', createdAtMs: -1, blobKey: '[]', options: { words: ['"', '\\', '\n', '𠮷'] } },
  ])('come back as they were: %j', (fields) => {
    expect(fromColumns(LIST, toColumns(fields))).toEqual(fields);
  });

  it('come back without the other columns of a row', () => {
    const row = { id: 'a', created_at_ms: 1, blob_key: 'k', options: null, revoked: 1, constructor: 'x' };
    expect(fromColumns(LIST, row)).toEqual({ id: 'a', createdAtMs: 1, blobKey: 'k', options: null });
  });

  it('are selected by name', () => {
    expect(columnNames(LIST)).toEqual(['id', 'created_at_ms', 'blob_key', 'options']);
  });
});
