/** Bytes of a compressed stream, or its end. */
export type DecodeMessage = Uint8Array | 'end';

/** `taken`: all sound of so many further bytes was reported. `alive`: the stream is silent. */
export type DecodeReport =
  | { type: 'sound'; samples: Float32Array }
  | { type: 'taken'; bytes: number }
  | { type: 'alive' };
