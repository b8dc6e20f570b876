import { describe, expect, it } from 'vitest';
import { LINKED_ID as ID, OTHER_LINKS, VIDEO_LINKS } from '#test/video-links.ts';
import { parseVideoLink } from './video-link.ts';

describe('a link to a video', () => {
  it.each(VIDEO_LINKS)('%s', (link) => {
    expect(parseVideoLink(link)).toBe(ID);
  });

  it('ignores white space around it', () => {
    expect(parseVideoLink(`\n\t ${ID} \r\n`)).toBe(ID);
    expect(parseVideoLink(`  https://youtu.be/${ID}\n`)).toBe(ID);
  });

  it('keeps the case and the punctuation of an ID', () => {
    expect(parseVideoLink('youtu.be/-_aB0cD1eF2')).toBe('-_aB0cD1eF2');
  });
});

describe('no link to a video', () => {
  it.each([...OTHER_LINKS, '', ' ', '\0', '👍'.repeat(5_000), 'https://youtu.be/'.repeat(2_000)])('%s', (link) => {
    expect(parseVideoLink(link)).toBeNull();
  });
});
