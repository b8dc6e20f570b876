import { expect, it } from 'vitest';
import { createUpdatePace } from './update-pace.ts';

it('updates are frequent until there is stable text', () => {
  const pace = createUpdatePace();
  expect([pace.everyMs(), pace.dueInMs()]).toEqual([80, 100]);
  pace.recognized(300, 10);
  expect(pace.everyMs()).toBe(80);
  pace.shown();
  expect([pace.everyMs(), pace.dueInMs()]).toEqual([320, 600]);
});

it('updates of sound in which nothing is recognized become rarer', () => {
  const pace = createUpdatePace();
  pace.recognized(1_499, 10);
  expect(pace.everyMs()).toBe(80);
  pace.recognized(1_500, 10);
  expect([pace.everyMs(), pace.dueInMs()]).toEqual([320, 600]);
});

it('a slow recognizer is asked again after one and a half times what it took', () => {
  const pace = createUpdatePace();
  pace.recognized(300, 400);
  expect(pace.everyMs()).toBe(600);
  pace.recognized(700, 20);
  expect(pace.everyMs()).toBe(80);
});
