import { describe, expect, it } from 'vitest';
import { LINKED_ID as ID, OTHER_LINKS, VIDEO_LINKS } from '#test/video-links.ts';
import { parseVideoLink } from './video-link.ts';

describe('the video of a link', () => {
  it.each(VIDEO_LINKS)('%s', (link) => {
    expect(parseVideoLink(link)).toBe(ID);
  });

  it('white space around it does not matter', () => {
    expect(parseVideoLink(`\n\t ${ID} \r\n`)).toBe(ID);
    expect(parseVideoLink(`  https://youtu.be/${ID}\n`)).toBe(ID);
  });

  it('keeps the case and the signs of an id', () => {
    expect(parseVideoLink('youtu.be/-_aB0cD1eF2')).toBe('-_aB0cD1eF2');
  });
});

describe('no video', () => {
  it.each([...OTHER_LINKS, '', ' ', '\0', '👍'.repeat(5_000), 'https://youtu.be/'.repeat(2_000)])('%s', (link) => {
    expect(parseVideoLink(link)).toBeNull();
  });
});
