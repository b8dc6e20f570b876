import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { NotFoundError, type TranscriptionProgress } from '@jyutsing/client';
import { createPlayer, type Player } from '#console/audio/player.ts';
import { measurePeaks, type Peaks } from '#console/audio/peaks.ts';
import { describeFailure } from '#console/core/failures.ts';
import { client, noticeRefusal } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { Banner, Progress } from '#console/ui/parts.tsx';
import { Editor } from './editor.ts';
import { Workspace } from './workspace.tsx';
import './transcript.css';

type Opened = { editor: Editor; player: Player | null; duration: number };

/** A transcript: waits until it is done, then opens it with its sound. */
export function TranscriptScreen({ id }: { id: string }) {
  const opened = useSignal<Opened | null>(null);
  const peaks = useSignal<Peaks | null>(null);
  const progress = useSignal<TranscriptionProgress | null>(null);
  const failure = useSignal<unknown>(null);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    open(id, signal, (each) => (progress.value = each)).then(
      (result) => {
        if (signal.aborted) return close(result);
        opened.value = result;
        if (result.recording !== null) void measurePeaks(result.recording).then((found) => (peaks.value = found));
      },
      (reason: unknown) => {
        if (signal.aborted) return;
        noticeRefusal(reason);
        failure.value = reason;
      },
    );
    return () => {
      stop.abort();
      if (opened.value !== null) close(opened.value);
    };
  }, [id]);
  useSignalEffect(() => {
    const { value } = opened;
    if (value === null) return;
    const warn = (event: BeforeUnloadEvent) => {
      if (value.editor.saveState.value !== 'saved') event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  });
  const { transcribe } = text();
  if (failure.value !== null) return <Banner kind="bad">{describeFailure(failure.value)}</Banner>;
  if (opened.value !== null) return <Workspace id={id} {...opened.value} peaks={peaks.value} />;
  const { stage = 'queued', fraction = null } = progress.value ?? {};
  return (
    <div class="card stack" role="status">
      <p>{transcribe.phase[stage]}</p>
      <Progress label={transcribe.phase[stage] ?? ''} fraction={stage === 'queued' ? null : fraction} />
    </div>
  );
}

async function open(
  id: string,
  signal: AbortSignal,
  onProgress: (progress: TranscriptionProgress) => void,
): Promise<Opened & { recording: Blob | null }> {
  const job = client().transcriptions.job(id);
  for await (const progress of job.progress({ signal })) onProgress(progress);
  const [file, recording] = await Promise.all([
    job.json({ signal }),
    job.audio({ signal }).catch((failure: unknown) => {
      if (failure instanceof NotFoundError) return null;
      throw failure;
    }),
  ]);
  const editor = new Editor(job, file);
  await editor.takeDraft();
  const player = recording === null ? null : createPlayer(recording);
  return { editor, player, recording, duration: file.duration_s };
}

function close({ editor, player }: Opened): void {
  editor.close();
  player?.close();
}
