import type { CaptionSourceEngine } from '@jyutsing/contracts/captions';
import { AppError } from '@jyutsing/contracts/errors';
import { readSettings } from './settings.ts';

/** Captions and sound of videos on YouTube, without a key (docs/video-captions.md). */
export const engine: CaptionSourceEngine = {
  ability: 'caption-source',
  name: 'youtube',
  priority: 50,

  availability({ settings }) {
    const read = readSettings(settings);
    return 'reason' in read ? { available: false, reason: read.reason } : { available: true };
  },

  async open({ settings }) {
    const read = readSettings(settings);
    if ('reason' in read) throw new AppError('engine_unavailable', `The caption source is not set up: ${read.reason}.`);
    const { openSource } = await import('./open-source.ts');
    return openSource(read.settings);
  },
};
