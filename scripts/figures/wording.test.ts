import { describe, expect, it } from 'vitest';
import { parseSource } from './parse-source.ts';
import { findCommentKinds, findPointingNames } from './wording.ts';

const parse = (text: string) => [{ path: 'a.ts', facts: parseSource('a.ts', text) }];

describe('findCommentKinds', () => {
  it('finds comments that begin with a clause or a fragment', () => {
    const fragments = [
      'What the queue holds.',
      'Of every answer.',
      'Where it is kept.',
      'Whose turn it is.',
      'When it ended.',
      'Null: no limit.',
      'Absent: the default.',
      'Not used.',
      'Also called at the end.',
    ];
    const text = fragments.map((fragment) => `/** ${fragment} */`).join('\n');
    expect(findCommentKinds(parse(text)).map(({ line, text: found }) => `${line} ${found}`)).toEqual(
      fragments.map((fragment, index) => `${index + 1} ${fragment}`),
    );
  });

  it('accepts sentences, units, shapes and sources', () => {
    const sentences = [
      'Holds the jobs that wait.',
      'Offers are sorted by price.',
      'When the browser closes, the upload ends.',
      'Nullable columns come last.',
      'In milliseconds.',
    ];
    expect(findCommentKinds(parse(sentences.map((sentence) => `/** ${sentence} */`).join('\n')))).toEqual([]);
  });
});

describe('findPointingNames', () => {
  it('finds variables and parameters that point instead of naming', () => {
    const text = 'const own = 1;\nlist.map((each) => each);\nconst { sent, [0]: known } = own;';
    expect(findPointingNames(parse(text))).toEqual([
      { path: 'a.ts', line: 1, text: 'own' },
      { path: 'a.ts', line: 2, text: 'each' },
      { path: 'a.ts', line: 3, text: 'sent' },
      { path: 'a.ts', line: 3, text: 'known' },
    ]);
  });

  it('accepts names that hold such a word among others', () => {
    expect(findPointingNames(parse('const sentMessages = 1, ownerId = 2, knownTerms = 3;'))).toEqual([]);
  });
});
