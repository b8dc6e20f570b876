/** Boxes that hold boxes, and where in their content these begin. */
const PARENTS: Readonly<Record<string, number>> = {
  moov: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
  edts: 0,
  moof: 0,
  traf: 0,
  stsd: 8,
  // The description of a sound: 6 reserved bytes, an index, and 20 bytes of version 0.
  Opus: 28,
};

/** Calls `change` with the content of every box of this name, which it may change in place. */
export function changeBoxes(bytes: Buffer, name: string, change: (content: Buffer) => void): Buffer {
  let changed = 0;
  const walk = (from: number, to: number) => {
    for (let at = from; at + 8 <= to; at += Math.max(8, bytes.readUInt32BE(at))) {
      const found = bytes.toString('latin1', at + 4, at + 8);
      const end = at + bytes.readUInt32BE(at);
      if (found === name) {
        change(bytes.subarray(at + 8, end));
        changed += 1;
      }
      const inner = PARENTS[found];
      if (inner !== undefined) walk(at + 8 + inner, end);
    }
  };
  walk(0, bytes.length);
  if (changed === 0) throw new Error(`no box ${name}`);
  return bytes;
}
