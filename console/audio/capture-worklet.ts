// Hands the samples of a microphone to the page. Runs in the audio thread of the browser.

declare const registerProcessor: (name: string, processor: new () => object) => void;
declare const AudioWorkletProcessor: new () => { readonly port: MessagePort };

/** A tenth of a second at 16 kHz. */
const PIECE_SAMPLES = 1_600;

class Capture extends AudioWorkletProcessor {
  #piece = new Int16Array(PIECE_SAMPLES);
  #filled = 0;

  process([input]: Float32Array[][]): boolean {
    for (const sample of input?.[0] ?? []) {
      this.#piece[this.#filled] = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
      this.#filled += 1;
      if (this.#filled === PIECE_SAMPLES) this.#send();
    }
    return true;
  }

  #send(): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has none
    this.port.postMessage(this.#piece);
    this.#piece = new Int16Array(PIECE_SAMPLES);
    this.#filled = 0;
  }
}

registerProcessor('capture', Capture);
