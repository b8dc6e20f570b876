import type { RenderedSpeechFile, SpeechFileRequest } from '@jyutsing/audio/encoding/render-speech-file';
import { defineTask } from '#workers/define-task.ts';

/**
 * Encodes raw sound as an audio file. The longest text gives half an hour of sound, which takes
 * seconds.
 */
export const renderSpeechFile = defineTask({
  name: 'render-speech-file',
  pool: 'interactive',
  timeoutMs: 5 * 60_000,
  async run(input: SpeechFileRequest, _context, signal): Promise<RenderedSpeechFile> {
    const encoding = await import('@jyutsing/audio/encoding/render-speech-file');
    return encoding.renderSpeechFile(input, signal);
  },
});
