import { describe, expect, it } from 'vitest';
import { parseCaptions } from './parse-captions.ts';

const CUE = 'WEBVTT\n\n00:01.000 --> 00:02.000\n';
const xml = (inside: string) => `<?xml version="1.0"?><timedtext><body>${inside}</body></timedtext>`;

/** Parsing in more than linear time exceeds the time limit of the test. */
describe('a megabyte of', () => {
  const BYTES = 1_000_000;

  it('unclosed tags is text', () => {
    const [line] = parseCaptions(CUE + '<'.repeat(BYTES)) ?? [];
    expect(line?.text).toHaveLength(BYTES);
  });

  it('blocks without times belongs to the previous cue', () => {
    const [line, ...otherLines] = parseCaptions(`${CUE}first\n\n${'<c>more</c>\n\n'.repeat(BYTES / 10)}`) ?? [];
    expect(line?.text.slice(0, 15)).toBe('first\nmore\nmore');
    expect(otherLines).toEqual([]);
  });

  it('white space and line breaks is empty', () => {
    expect(parseCaptions(CUE + ' \n'.repeat(BYTES / 2))).toEqual([]);
    expect(parseCaptions(JSON.stringify({ events: [{ segs: [{ utf8: ' \n\t'.repeat(BYTES / 3) }] }] }))).toEqual([]);
  });

  it('nested XML is rejected', () => {
    expect(parseCaptions(xml(`<p t="0">${'<s>'.repeat(50_000)}a${'</s>'.repeat(50_000)}</p>`))).toBeNull();
  });
});

it('names of prototype properties are rejected and have no effect', () => {
  expect(parseCaptions(xml('<p t="0" __proto__="x"><__proto__><polluted>1</polluted></__proto__>hi</p>'))).toBeNull();
  expect(
    parseCaptions('{"__proto__":{"polluted":1},"events":[{"__proto__":{"polluted":1},"segs":[{"utf8":"hi"}]}]}'),
  ).toEqual([{ startMs: 0, endMs: 0, text: 'hi' }]);
  expect({}).not.toHaveProperty('polluted');
});
