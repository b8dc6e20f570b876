import { CAPTION_FAULTS } from './catalogue-captions.ts';
import { WITHOUT_CAPTIONS } from './catalogue-sound.ts';
import { PLAYER_FAULTS } from './catalogue-player.ts';
import { TALKS } from './catalogue-talks.ts';
import type { Video } from './videos.ts';

/** All videos of the invented platform by name. */
export const VIDEOS = { ...TALKS, ...CAPTION_FAULTS, ...WITHOUT_CAPTIONS, ...PLAYER_FAULTS };

export const VIDEOS_BY_ID: ReadonlyMap<string, Video> = new Map(
  Object.values<Video>(VIDEOS).map((video) => [video.id, video]),
);
