export const ID3_HEADER_BYTES = 10;

/**
 * Returns the size of an ID3v2 tag and its header, or its footer: both have the size of what is
 * between them in seven bits of four bytes.
 */
export function id3Bytes(header: Buffer): number {
  return ID3_HEADER_BYTES + header.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
}
