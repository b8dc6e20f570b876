import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a ZIP file; the optional fields make it lie. */
export type ZipEntry = {
  name: string;
  content: Uint8Array;
  /** The name in the header before the content. */
  headerName?: string;
  /** The announced size. */
  sizeBytes?: number;
  crc?: number;
  /** Default: that of a file. */
  unixMode?: number;
  flags?: number;
  method?: number;
};

const FILE_MODE = 0o100_644;

/** Makes a ZIP file, such as a Python wheel, of compressed entries. */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, content, headerName = name, sizeBytes = content.length, unixMode = FILE_MODE } = entry;
    const { flags = 0, method = 8, crc = crc32(content) } = entry;
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(sizeBytes, 18);
    const header = Buffer.concat([signature(0x04_03_4b_50), fields]);
    header.writeUInt16LE(Buffer.byteLength(headerName), 26);
    parts.push(header, Buffer.from(headerName), packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((unixMode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const central = Buffer.concat([signature(0x02_01_4b_50), Buffer.from([20, 3]), fields, rest]);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    directory.push(central, Buffer.from(name));
    offset += header.length + Buffer.byteLength(headerName) + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, signature(0x06_05_4b_50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
