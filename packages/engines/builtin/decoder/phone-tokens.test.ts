import { beforeEach, describe, expect, test } from 'vitest';
import {
  clearTokens,
  createTokenTable,
  fillPhone,
  offerBlank,
  offerSymbol,
  pruningScore,
  setPhone,
  tokenOf,
  type TokenTable,
} from './phone-tokens.ts';

const CAPACITY = 8_192;
const table: TokenTable = createTokenTable();
beforeEach(() => clearTokens(table));

function symbol(node: number, state: number, score: number, column = 1): boolean {
  const token = tokenOf(table, node, state);
  const isBest = offerSymbol(table, token, score, 0, null);
  if (isBest) setPhone(table, token, column);
  return isBest;
}

function blank(node: number, state: number, score: number, column = 1): void {
  const token = tokenOf(table, node, state);
  if (offerBlank(table, token, score, 0, null)) fillPhone(table, token, column);
}

describe('tokens of a frame', () => {
  test('a place keeps its best path', () => {
    expect(symbol(5, 7, -3)).toBe(true);
    expect(symbol(5, 7, -4)).toBe(false);
    expect(symbol(5, 7, -3)).toBe(false);
    expect(symbol(5, 7, -2)).toBe(true);
    expect([table.count, table.symbolScore[0], table.best]).toEqual([1, -2, -2]);
  });

  test('different nodes and states are different places', () => {
    for (const [node, state] of [
      [1, 1],
      [1, 2],
      [2, 1],
      [0, 0],
    ] as const)
      expect(symbol(node, state, -1)).toBe(true);
    expect(table.count).toBe(4);
  });

  test('paths that end in the phone and in the blank are kept side by side', () => {
    symbol(3, 3, -5);
    blank(3, 3, -1);
    expect(table.count).toBe(1);
    expect([table.symbolScore[0], table.blankScore[0], table.best]).toEqual([-5, -1, -1]);
    blank(3, 3, -9);
    expect(table.blankScore[0]).toBe(-1);
  });

  test('the phone of the better path stays; a blank only fills an unknown one', () => {
    blank(3, 3, -1, 9);
    expect(table.column[0]).toBe(9);
    blank(3, 3, -0.5, 4);
    expect(table.column[0]).toBe(9);
    symbol(3, 3, -2, 6);
    expect(table.column[0]).toBe(6);
  });

  test('a path with a score that is no number is not kept', () => {
    expect(symbol(1, 1, Number.NEGATIVE_INFINITY)).toBe(false);
    expect(table.best).toBe(-Infinity);
  });

  test('a full table takes no new place, but better paths to known ones', () => {
    for (let node = 0; node < CAPACITY; node += 1) expect(symbol(node, 1, -1)).toBe(true);
    expect(symbol(CAPACITY, 1, 0)).toBe(false);
    blank(CAPACITY + 1, 1, 0);
    expect([table.count, table.best]).toEqual([CAPACITY, -1]);
    expect(symbol(17, 1, -0.5)).toBe(true);
    expect(table.best).toBe(-0.5);
  });

  test('an emptied table knows nothing of the last frame', () => {
    symbol(1, 1, -1);
    blank(1, 1, -1);
    clearTokens(table);
    expect([table.count, table.best]).toEqual([0, -Infinity]);
    blank(1, 1, -8);
    expect([table.count, table.symbolScore[0], table.blankScore[0]]).toEqual([1, -Infinity, -8]);
  });
});

describe('pruning', () => {
  test('within the width everything up to the margin is kept', () => {
    for (let node = 0; node < 10; node += 1) symbol(node, 1, -node);
    expect(pruningScore(table, 10, 20)).toBe(-20);
    expect(pruningScore(table, 100, 5)).toBe(-5);
  });

  test('beyond the width about that many remain', () => {
    for (let node = 0; node < 1_000; node += 1) symbol(node, 1, -node / 100);
    const limit = pruningScore(table, 100, 20);
    const keptCount = Array.from({ length: 1_000 }, (_, node) => -node / 100).filter((score) => score > limit).length;
    expect(keptCount).toBeGreaterThan(90);
    expect(keptCount).toBeLessThanOrEqual(105);
  });

  test('the better of phone and blank counts', () => {
    for (let node = 0; node < 50; node += 1) {
      symbol(node, 1, -15);
      blank(node, 1, 0);
    }
    symbol(99, 1, -1);
    expect(pruningScore(table, 50, 16)).toBeGreaterThanOrEqual(-1.04);
  });
});
