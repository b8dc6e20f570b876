import { strToU8, Zip, ZipDeflate } from 'fflate';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';

/** Bytes compressed in one go, which takes milliseconds. */
const AT_ONCE = 256 * 1_024;
/** The memory that an archive may take. */
const MAX_ARCHIVE_BYTES = 256 * 1_024 * 1_024;
/** ZIP files know no time before 1980. */
const EARLIEST_MS = Date.UTC(1980, 0, 2);

export type ZipArchive = {
  /** Compresses a file; the event loop runs meanwhile. Throws `payload_too_large`. */
  add(name: string, content: string | Uint8Array): Promise<void>;
  /** Ends the archive and returns its bytes. */
  end(): Uint8Array;
};

/** A ZIP file whose files are of this time. Only their compressed form stays in memory. */
export function createZipArchive(timeMs: number, maxBytes = MAX_ARCHIVE_BYTES): ZipArchive {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    chunks.push(chunk);
    size += chunk.length;
  });
  return {
    async add(name, content) {
      const bytes = typeof content === 'string' ? strToU8(content) : content;
      const file = new ZipDeflate(name);
      file.mtime = Math.max(timeMs, EARLIEST_MS);
      zip.add(file);
      let from = 0;
      do {
        await yieldToEventLoop();
        file.push(bytes.subarray(from, from + AT_ONCE), from + AT_ONCE >= bytes.length);
        from += AT_ONCE;
        if (size > maxBytes) {
          throw new AppError(
            'payload_too_large',
            `The archive is larger than ${Math.floor(maxBytes / 1_048_576)} MB; ask for fewer transcripts at a time.`,
          );
        }
      } while (from < bytes.length);
    },
    end() {
      zip.end();
      return Buffer.concat(chunks);
    },
  };
}
