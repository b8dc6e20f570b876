import { Obstacle, toObstacle } from './platform-error.ts';
import type { PlayedVideo } from './player-answer.ts';
import type { Notes, Road } from './strategy.ts';
import { wantsToken } from './track-handle.ts';

export type FoundVideo = { road: Road; video: PlayedVideo };

/** Apps have been seen to leave captions out: one alone is not believed while another can be asked. */
const WITNESSES_OF_NO_CAPTIONS = 2;

/**
 * Takes the roads in their order until one gives tracks that can be downloaded. Where none does: tracks whose links want a token, or a video
 * that was played and has none. Null where nobody played it; `notes` then say why. A final `Obstacle` is thrown.
 */
export async function findVideo(
  roads: readonly Road[],
  videoId: string,
  notes: Notes,
  signal: AbortSignal,
): Promise<FoundVideo | null> {
  let gated: FoundVideo | null = null;
  let silent: FoundVideo | null = null;
  let witnesses = 0;
  for (const road of roads) {
    const video = await attempt(road.name, notes, signal, () => road.ask(videoId, signal));
    if (video === null) continue;
    const found = { road, video };
    if (video.tracks.length === 0) {
      notes.push(`${road.name}: no captions`);
      silent ??= found;
      witnesses += 1;
      if (witnesses >= WITNESSES_OF_NO_CAPTIONS) break;
    } else if (video.tracks.every(({ link }) => wantsToken(link))) {
      notes.push(`${road.name}: links that want a token`);
      gated ??= found;
    } else {
      return found;
    }
  }
  return gated ?? silent;
}

/** One try on a road. Null where an obstacle was met, which is noted; a final one is thrown, as is the reason of the signal. */
export async function attempt<Value>(
  roadName: string,
  notes: Notes,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await work();
  } catch (thrown) {
    signal.throwIfAborted();
    const obstacle = toObstacle(thrown);
    notes.push(`${roadName}: ${obstacle.message}`);
    if (obstacle.isFinal) throw obstacle;
    return null;
  }
}

/** For what came before a road was tried. */
export function refuse(notes: Notes, reason: string): never {
  notes.push(reason);
  throw new Obstacle(reason, { isFinal: true });
}
