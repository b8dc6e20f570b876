import { readFile } from 'node:fs/promises';
import { serveTasks } from '#server/workers/pool/serve-tasks.ts';
import { decodeAudio } from '@jyutsing/audio/decode';
import { decodeStream } from '@jyutsing/audio/decode-stream';
import { probeAudio } from '@jyutsing/audio/probe';

const limits = { maxDurationMs: 3_600_000 };

/** Probes and decodes test files in a process that may crash; also reports its peak memory. */
serveTasks({
  async *probe(payload) {
    yield await probeAudio((payload as { path: string }).path, limits);
  },
  async *decode(payload, signal) {
    const { path } = payload as { path: string };
    let samples = 0;
    for await (const chunk of decodeAudio(path, { sampleRateHz: 16_000, maxDurationMs: 1e9, signal })) {
      samples += chunk.samples.length;
    }
    yield { samples, maxRssBytes: process.resourceUsage().maxRSS * 1_024 };
  },
  /** The same file as a stream. */
  async *stream(payload, signal) {
    const bytes = await readFile((payload as { path: string }).path);
    const format = { encoding: 'container' } as const;
    let samples = 0;
    for await (const piece of decodeStream(pieces(bytes), format, { sampleRateHz: 16_000, signal })) {
      samples += piece.length;
    }
    yield { samples };
  },
});

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}
