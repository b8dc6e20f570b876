// Plays samples as they arrive. Runs in the audio thread of the browser, where nothing is imported.

declare const registerProcessor: (name: string, processor: new () => object) => void;
declare const AudioWorkletProcessor: new () => { readonly port: MessagePort };

export type PlayerMessage = { samples: Float32Array } | { isLast: true };
export type PlayerReport = { playedSamples: number; isOver: boolean };

/** Quanta of 128 samples between two reports. */
const REPORTED_EVERY = 6;

class PcmPlayer extends AudioWorkletProcessor {
  readonly #queue: Float32Array[] = [];
  #offset = 0;
  #played = 0;
  #quanta = 0;
  #isLast = false;

  constructor() {
    super();
    this.port.addEventListener('message', ({ data }: MessageEvent<PlayerMessage>) => {
      if ('samples' in data) this.#queue.push(data.samples);
      else this.#isLast = true;
    });
    this.port.start();
  }

  process(_inputs: unknown, [output]: Float32Array[][]): boolean {
    const [channel] = output ?? [];
    if (channel === undefined) return true;
    this.#fill(channel);
    const isOver = this.#isLast && this.#queue.length === 0;
    this.#quanta += 1;
    if (isOver || this.#quanta % REPORTED_EVERY === 0) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has none
      this.port.postMessage({ playedSamples: this.#played, isOver } satisfies PlayerReport);
    }
    return !isOver;
  }

  #fill(channel: Float32Array): void {
    let filled = 0;
    for (let next = this.#queue[0]; next !== undefined && filled < channel.length; next = this.#queue[0]) {
      const part = next.subarray(this.#offset, this.#offset + channel.length - filled);
      channel.set(part, filled);
      filled += part.length;
      this.#offset += part.length;
      if (this.#offset < next.length) continue;
      this.#queue.shift();
      this.#offset = 0;
    }
    this.#played += filled;
  }
}

registerProcessor('pcm-player', PcmPlayer);
