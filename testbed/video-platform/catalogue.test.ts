import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { parseVideoLink } from '#server/features/video-summary/video-link.ts';
import { VIDEOS, VIDEOS_BY_ID } from './catalogue.ts';
import type { Video } from './videos.ts';

const ENTRY = new URL('main.ts', import.meta.url).pathname;

it('each video has an id of its own that the service reads', () => {
  const videos = Object.values<Video>(VIDEOS);
  expect(VIDEOS_BY_ID.size).toBe(videos.length);
  expect(videos.map(({ id }) => parseVideoLink(`https://youtu.be/${id}`))).toEqual(videos.map(({ id }) => id));
});

it('each message about a video has an example', () => {
  const ends = new Set(Object.values<Video>(VIDEOS).map(({ expects }) => expects));
  expect([...ends].toSorted()).toEqual([
    'caption_tracks_failed',
    'empty_transcript',
    'no_subtitles',
    'success',
    'transcript_download_failed',
  ]);
});

it('the command lists its videos, prints usage and stops on SIGTERM', async () => {
  const program = spawn(process.execPath, [ENTRY, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const piece of program.stdout) {
    printed += String(piece);
    if (printed.includes('/watch?v=')) break;
  }
  program.kill('SIGTERM');
  const [code] = (await once(program, 'exit')) as [number | null];
  expect(code).toBe(0);
  for (const { id } of Object.values<Video>(VIDEOS)) expect(printed).toContain(id);
  expect(printed).toMatch(/YOUTUBE_BASE_URL=http:\/\/127\.0\.0\.1:\d+ npm start/);
});

it('the command refuses an invalid port with a message', async () => {
  const program = spawn(process.execPath, [ENTRY, 'eighty'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  for await (const piece of program.stderr) errors += String(piece);
  expect(errors).toContain('The port must be between 0 and 65535');
});
