import { expect, test } from 'vitest';
import { unfinishedThought, withoutOpenThought, withoutThinking } from './thinking.ts';

test('the thoughts of a language model are left out', () => {
  const rows: [string, string][] = [
    ['<think>佢想飲茶。</think>\n\n早晨！', '\n\n早晨！'],
    ['<THINKING>hm</THINKING>好', '好'],
    ['早<think time="3s">咩？</think>晨', '早晨'],
    ['早晨<think>我應該', '早晨'],
    ['早<think>a<think>b</think>c</think>晨<thinking>d</thinking>！', '早晨！'],
    ['使用者問緊時間。</think>而家三點。', '而家三點。'],
    ['<think></think>', ''],
    ['I think so', 'I think so'],
    ['<thinker>好</thinker>', '<thinker>好</thinker>'],
    ['a <think b', 'a <think b'],
  ];
  expect(rows.filter(([text, spoken]) => withoutThinking(text) !== spoken)).toEqual([]);
});

test('a thought that goes on is found where it begins', () => {
  expect(unfinishedThought('早<think>a</think>晨<thinking>b<think>c</think>')).toBe('早<think>a</think>晨'.length);
  expect(unfinishedThought('早</think>晨')).toBeNull();
});

test.each([
  ['', ''],
  ['早晨', '早晨'],
  ['早<think>想下', '早<think>'],
  ['早<think>想下<think>再想', '早<think><think>'],
  ['早<think>想</think>晨', '早<think>想</think>晨'],
  ['<think>a < b', '<think>< b'],
  ['<think>想下</thi', '<think></thi'],
  [`<think>${'x'.repeat(500)}<${'y'.repeat(300)}`, '<think>'],
])('of %j only the beginning of an open thought stays', (text, expected) => {
  expect(withoutOpenThought(text)).toBe(expected);
});
