const HEADER_BYTES = 44;

/**
 * Joins sound files of one format to one file: MP3 and Ogg as they allow, by writing one after the
 * other; WAV files of this service, whose header has 44 bytes, by their samples.
 */
export function joinSounds(parts: readonly Uint8Array[], extension: string): Uint8Array {
  if (extension !== '.wav') return Buffer.concat(parts);
  const [first] = parts;
  if (first === undefined) return new Uint8Array();
  const joined = Buffer.concat([first.subarray(0, HEADER_BYTES), ...parts.map((part) => part.subarray(HEADER_BYTES))]);
  joined.writeUInt32LE(joined.length - 8, 4);
  joined.writeUInt32LE(joined.length - HEADER_BYTES, 40);
  return joined;
}
