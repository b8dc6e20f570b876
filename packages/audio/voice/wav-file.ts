const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

/** Mono samples as a WAV file of 16 bits; what is louder than full scale is cut off. */
export function wavFile(samples: Float32Array, sampleRateHz: number): Uint8Array<ArrayBuffer> {
  const sizeBytes = samples.length * BYTES_PER_SAMPLE;
  const file = new Uint8Array(HEADER_BYTES + sizeBytes);
  const view = new DataView(file.buffer);
  const tag = (at: number, text: string) => file.set(new TextEncoder().encode(text), at);
  tag(0, 'RIFF');
  view.setUint32(4, HEADER_BYTES - 8 + sizeBytes, true);
  tag(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * BYTES_PER_SAMPLE, true);
  view.setUint16(32, BYTES_PER_SAMPLE, true);
  view.setUint16(34, 8 * BYTES_PER_SAMPLE, true);
  tag(36, 'data');
  view.setUint32(40, sizeBytes, true);
  for (let i = 0; i < samples.length; i += 1) {
    const value = Math.round(samples[i]! * 32_767);
    view.setInt16(HEADER_BYTES + BYTES_PER_SAMPLE * i, Math.min(32_767, Math.max(-32_768, value)), true);
  }
  return file;
}
