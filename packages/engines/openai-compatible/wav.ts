const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

/** Mono sound (−1..1, louder is clipped) as a WAV file of 16-bit samples, which every server reads without a decoder of its own. */
export function encodeWav(samples: Float32Array, sampleRateHz: number): Uint8Array<ArrayBuffer> {
  const sizeBytes = samples.length * BYTES_PER_SAMPLE;
  const file = new DataView(new ArrayBuffer(HEADER_BYTES + sizeBytes));
  const tag = (at: number, text: string) => {
    for (let i = 0; i < text.length; i += 1) file.setUint8(at + i, text.charCodeAt(i));
  };
  tag(0, 'RIFF');
  file.setUint32(4, HEADER_BYTES - 8 + sizeBytes, true);
  tag(8, 'WAVEfmt ');
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, sampleRateHz, true);
  file.setUint32(28, sampleRateHz * BYTES_PER_SAMPLE, true);
  file.setUint16(32, BYTES_PER_SAMPLE, true);
  file.setUint16(34, 8 * BYTES_PER_SAMPLE, true);
  tag(36, 'data');
  file.setUint32(40, sizeBytes, true);
  for (let i = 0; i < samples.length; i += 1) {
    const sample = Math.min(1, Math.max(-1, samples[i] ?? 0));
    file.setInt16(HEADER_BYTES + i * BYTES_PER_SAMPLE, Math.round(sample * 32_767), true);
  }
  return new Uint8Array(file.buffer);
}
