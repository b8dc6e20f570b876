/** A page of an Ogg stream (RFC 3533). */
export type OggPage = { granule: bigint; body: Buffer };

const HEAD_BYTES = 27;
const CRC_AT = 22;
/** The cyclic redundancy check of RFC 3533: generator 0x04c11db7, not reflected. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder << 1) ^ (remainder < 0 ? 0x04c11db7 : 0);
  return remainder;
});

/** Rewrites the pages that `change` keeps; it may change the granule, and the body in place. */
export function changePages(bytes: Buffer, change: (page: OggPage) => boolean): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const bodyAt = at + HEAD_BYTES + bytes[at + 26]!;
    const end = bodyAt + bytes.subarray(at + HEAD_BYTES, bodyAt).reduce((sum, lacing) => sum + lacing, 0);
    const page = { granule: bytes.readBigInt64LE(at + 6), body: bytes.subarray(bodyAt, end) };
    if (change(page)) {
      bytes.writeBigInt64LE(page.granule, at + 6);
      kept.push(withCrc(bytes.subarray(at, end)));
    }
    at = end;
  }
  return Buffer.concat(kept);
}

function withCrc(page: Buffer): Buffer {
  page.writeUInt32LE(0, CRC_AT);
  let crc = 0;
  for (const byte of page) crc = (crc << 8) ^ CRC_TABLE[(crc >>> 24) ^ byte]!;
  page.writeUInt32LE(crc >>> 0, CRC_AT);
  return page;
}
