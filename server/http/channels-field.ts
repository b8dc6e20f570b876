import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import { choiceField } from './fields.ts';

/** How the channels of a recording are recognized, as a field of a form. */
export const channelsField = {
  channels: choiceField(
    ['mix', 'separate'],
    {
      default: 'mix',
      description:
        '`separate`: each channel, of up to 8, is a speaker and recognized for itself; with `n` of them a recording may be `1/n` as long. One channel alone has the notice `one_channel`.',
    },
    (text) => (['', 'mixed'].includes(text) ? 'mix' : undefined),
  ),
};

type Sent = { channels: 'mix' | 'separate' | null };

/** Returns the option if it differs from its default. */
export function readChannels({ channels }: Sent): Pick<TranscriptionOptions, 'channels'> {
  return channels === 'separate' ? { channels } : {};
}
