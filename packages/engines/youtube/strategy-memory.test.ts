import { expect, it } from 'vitest';
import type { Strategy } from './strategy.ts';
import { createStrategyMemory } from './strategy-memory.ts';

const strategies = ['A', 'B', 'C'].map((name) => ({ name })) as unknown as readonly Strategy[];
const [first, second, third] = strategies as [Strategy, Strategy, Strategy];

it('the strategy that worked is tried first for a quarter of an hour', () => {
  let nowMs = 0;
  const memory = createStrategyMemory(() => nowMs);
  expect(memory.order(strategies)).toEqual([first, second, third]);
  memory.worked(third);
  expect(memory.order(strategies)).toEqual([third, first, second]);
  nowMs = 14 * 60_000;
  memory.worked(third);
  expect(memory.order(strategies)).toEqual([third, first, second]);
  nowMs = 16 * 60_000;
  expect(memory.order(strategies)).toEqual([first, second, third]);
});

it('a strategy that worked later replaces it', () => {
  const memory = createStrategyMemory(() => 0);
  memory.worked(third);
  memory.worked(second);
  expect(memory.order(strategies)).toEqual([second, first, third]);
});
