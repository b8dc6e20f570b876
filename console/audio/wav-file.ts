const HEADER_BYTES = 44;

/** A WAV file of 16 bit and one channel. */
export function wavFile(pieces: readonly Float32Array[], sampleRateHz: number): Blob {
  const dataBytes = 2 * pieces.reduce((sum, { length }) => sum + length, 0);
  const file = new DataView(new ArrayBuffer(HEADER_BYTES + dataBytes));
  const write = (at: number, letters: string) => {
    for (const [index, letter] of [...letters].entries()) file.setUint8(at + index, letter.charCodeAt(0));
  };
  write(0, 'RIFF');
  file.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  write(8, 'WAVEfmt ');
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, sampleRateHz, true);
  file.setUint32(28, sampleRateHz * 2, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  write(36, 'data');
  file.setUint32(40, dataBytes, true);
  let at = HEADER_BYTES;
  for (const piece of pieces) {
    for (const sample of piece) {
      file.setInt16(at, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
      at += 2;
    }
  }
  return new Blob([file.buffer], { type: 'audio/wav' });
}
