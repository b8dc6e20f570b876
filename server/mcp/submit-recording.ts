import type { Jyutsing, TranscribeOptions, TranscriptionJob } from '@jyutsing/client';

/**
 * Submits a recording. An interruption leaves no transcription on the server: a submission that was
 * sent completely may be accepted, so its answer is awaited, and the transcription ended. Throws
 * the reason of the signal then.
 */
export async function submitRecording(
  client: Jyutsing,
  source: string | AsyncIterable<Uint8Array>,
  options: TranscribeOptions,
  onUpload: (fraction: number) => void,
  signal: AbortSignal,
): Promise<TranscriptionJob> {
  const upload = new AbortController();
  // The server fetches the recording of an address; nothing is sent then.
  let isSent = typeof source === 'string' && /^https?:\/\//i.test(source);
  const interrupt = () => void (isSent || upload.abort(signal.reason));
  if (signal.aborted) interrupt();
  signal.addEventListener('abort', interrupt);
  const whole = typeof source === 'string' ? source : noticeEnd(source, () => (isSent = true));
  try {
    const job = (await client.transcribe(whole, {
      ...options,
      signal: upload.signal,
      onUploadProgress({ sentBytes, totalBytes }) {
        if (sentBytes === totalBytes) isSent = true;
        onUpload(totalBytes === null ? 0 : sentBytes / totalBytes);
      },
    })) as TranscriptionJob;
    if (!signal.aborted) return job;
    await job.cancel();
    throw signal.reason;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}

async function* noticeEnd(pieces: AsyncIterable<Uint8Array>, end: () => void): AsyncGenerator<Uint8Array> {
  yield* pieces;
  end();
}
