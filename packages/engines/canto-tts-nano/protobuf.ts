/** A field of a protobuf message: a number, or bytes; floats come as their four bytes. */
type Field = { field: number; value: number; bytes: Buffer | null };

/** Reads the fields of a message (protobuf). Throws a RangeError where it is cut off. */
export function* readFields(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(value);
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > message.length) throw new RangeError('a field is cut off');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const key = varint();
    const field = Math.floor(key / 8);
    const wire = key % 8;
    if (wire === 0) yield { field, value: varint(), bytes: null };
    else if (wire === 1) yield { field, value: 0, bytes: take(8) };
    else if (wire === 2) yield { field, value: 0, bytes: take(varint()) };
    else if (wire === 5) yield { field, value: 0, bytes: take(4) };
    else throw new RangeError(`a field of the wire type ${wire}`);
  }
}
