import { createChannel } from '@jyutsing/concurrency/channel';
import { createSoundDecoders, type SoundDecoders } from '#server/workers/sound-decoders.ts';

/** Decodes live sound in the process of the test instead of a worker process. */
export function decodeHere(maxStreams = 16): SoundDecoders {
  return createSoundDecoders(
    {
      async connect(task, input, signal) {
        const messages = createChannel<never>();
        return {
          send: (message) => messages.push(message as never),
          events: task.run(input, messages, {} as never, signal),
        };
      },
    },
    maxStreams,
  );
}
