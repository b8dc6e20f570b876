import { describe, expect, it } from 'vitest';
import { errorOfResponse } from './platform-error.ts';

describe('an HTML page instead of data', () => {
  it.each([
    ['<!DOCTYPE html><p>hello', 'HTML instead of data'],
    [' <!-- a -->\n<!-- b --> <html>', 'HTML instead of data'],
    ['<!-- a --><html><form class="g-recaptcha">', 'captcha'],
    ['<!-- a --><timedtext/>', undefined],
  ])('%j', (body, reason) => {
    expect(errorOfResponse(200, body)?.message).toBe(reason);
  });

  it('is distinguished quickly from many comments', () => {
    expect(errorOfResponse(200, `${'<!---->'.repeat(250)}x`)).toBeNull();
  });
});
