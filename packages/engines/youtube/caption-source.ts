import type { CaptionSourceEngine } from '@jyutsing/contracts/captions';
import { AppError } from '@jyutsing/contracts/errors';
import { readSettings } from './settings.ts';

/** Increase it when the captions of the same video may become different. */
const CODE_VERSION = '1';

/** Captions and sound of YouTube videos, without an API key (docs/video-captions.md). */
export const engine: CaptionSourceEngine = {
  ability: 'caption-source',
  name: 'youtube',
  models({ settings }) {
    const read = readSettings(settings);
    const availability =
      'reason' in read ? ({ available: false, reason: read.reason } as const) : ({ available: true } as const);
    return [{ name: 'youtube', version: CODE_VERSION, capabilities: { quality: 50 }, availability }];
  },

  async open({ settings }) {
    const read = readSettings(settings);
    if ('reason' in read)
      throw new AppError('engine_unavailable', `The caption source is not configured: ${read.reason}.`);
    const { openSource } = await import('./open-source.ts');
    return openSource(read.settings);
  },
};
