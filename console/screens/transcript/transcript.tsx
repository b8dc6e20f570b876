import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { NotFoundError, type TranscriptionProgress, type TranscriptionRecord } from '@jyutsing/client';
import { createPlayer, type Sound } from '#console/audio/player.ts';
import type { Peaks } from '#console/audio/peaks.ts';
import { client, noticeRefusal } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { FailureBanner, Progress } from '#console/ui/parts.tsx';
import { Editor } from './editor.ts';
import { Workspace } from './workspace.tsx';
import './transcript.css';

/**
 * Shows a transcript, at a time if `seconds` names one: waits until it is done, then opens it and
 * loads its sound.
 */
export function TranscriptScreen({ id, seconds }: { id: string; seconds: number | null }) {
  const opened = useSignal<Editor | null>(null);
  const sound = useSignal<Sound>('loading');
  const peaks = useSignal<Peaks | null>(null);
  const progress = useSignal<TranscriptionProgress | null>(null);
  const failure = useSignal<unknown>(null);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const loadSound = async (editor: Editor) => {
      const recording = await loadRecording(
        id,
        signal,
        ({ quality }) => (editor.isFallback.value = quality === 'fallback'),
      );
      if (signal.aborted) return;
      if (typeof recording === 'string') {
        sound.value = recording;
      } else {
        sound.value = createPlayer(recording);
        // Without a connection the sound plays without a waveform.
        const module = await import('#console/audio/peaks.ts').catch(() => null);
        if (module !== null) peaks.value = await module.measurePeaks(recording, signal);
      }
    };
    open(id, signal, (latest) => (progress.value = latest)).then(
      (result) => {
        if (signal.aborted) return result.close();
        opened.value = result;
        return loadSound(result);
      },
      (reason: unknown) => {
        if (signal.aborted) return;
        noticeRefusal(reason);
        failure.value = reason;
      },
    );
    return () => {
      stop.abort();
      opened.value?.close();
      if (typeof sound.value !== 'string') sound.value.close();
    };
  }, [id]);
  useSignalEffect(() => {
    const { value } = opened;
    if (value === null) return;
    const warn = (event: BeforeUnloadEvent) => {
      if (value.saveState.value !== 'saved') event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  });
  const { transcribe } = text();
  if (failure.value !== null) return <FailureBanner of={failure.value} />;
  if (opened.value !== null) {
    return <Workspace id={id} seconds={seconds} editor={opened.value} sound={sound} peaks={peaks} />;
  }
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
): Promise<Editor> {
  const job = client().transcriptions.job(id);
  for await (const progress of job.progress({ signal })) onProgress(progress);
  const file = await job.json({ signal });
  const editor = new Editor(job, file);
  await editor.takeDraft();
  return editor;
}

async function loadRecording(
  id: string,
  signal: AbortSignal,
  onRecord: (record: TranscriptionRecord) => void,
): Promise<Blob | 'none' | 'failed'> {
  try {
    const job = client().transcriptions.job(id);
    const record = await job.record({ signal });
    onRecord(record);
    return record.audio_kept === true ? await job.audio({ signal }) : 'none';
  } catch (failure) {
    if (failure instanceof NotFoundError) return 'none';
    if (!signal.aborted) noticeRefusal(failure);
    return 'failed';
  }
}
