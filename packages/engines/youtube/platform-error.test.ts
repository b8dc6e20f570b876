import { describe, expect, it } from 'vitest';
import { obstacleOfAnswer } from './platform-error.ts';

describe('a page in place of an answer', () => {
  it.each([
    ['<!DOCTYPE html><p>hello', 'HTML instead of an answer'],
    [' <!-- a -->\n<!-- b --> <html>', 'HTML instead of an answer'],
    ['<!-- a --><html><form class="g-recaptcha">', 'captcha'],
    ['<!-- a --><timedtext/>', undefined],
  ])('%j', (body, reason) => {
    expect(obstacleOfAnswer(200, body)?.message).toBe(reason);
  });

  it('is told at once from one that only begins like many pages', () => {
    expect(obstacleOfAnswer(200, `${'<!---->'.repeat(250)}x`)).toBeNull();
  });
});
