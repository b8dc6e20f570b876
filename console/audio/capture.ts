import { loadPart } from '#console/core/session.ts';
// oxlint-disable-next-line import/default -- the address of a file that Vite makes
import workletUrl from './capture-worklet.ts?worker&url';

export const CAPTURE_RATE_HZ = 16_000;

/** Hands samples of a stream to `take` until the returned function is called. */
export async function captureSamples(stream: MediaStream, take: (samples: Int16Array) => void): Promise<() => void> {
  const context = new AudioContext({ sampleRate: CAPTURE_RATE_HZ });
  try {
    await loadPart(() => context.audioWorklet.addModule(workletUrl));
    const node = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 });
    node.port.addEventListener('message', ({ data }: MessageEvent<Int16Array>) => take(data));
    node.port.start();
    context.createMediaStreamSource(stream).connect(node);
  } catch (failure) {
    void context.close();
    throw failure;
  }
  return () => {
    if (context.state !== 'closed') void context.close();
  };
}
