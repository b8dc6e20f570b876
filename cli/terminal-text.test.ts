import { expect, test } from 'vitest';
import { terminalText } from './terminal-text.ts';

test('a terminal gets no codes that it would obey, and everything else', () => {
  expect(terminalText('\u{1B}[31mred\u{7}\u{9B}2J\r')).toBe('\u{FFFD}[31mred\u{FFFD}\u{FFFD}2J\u{FFFD}');
  expect(terminalText('兩行\n字\t和 é')).toBe('兩行\n字\t和 é');
});
