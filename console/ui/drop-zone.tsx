import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { text } from '#console/core/text.ts';
import { Button } from './button.tsx';
import { FileInput } from './file-input.tsx';
import { Icon } from './icon.tsx';
import './drop-zone.css';

/** Sound and video; whatever the service cannot read it refuses with a sentence. */
const ACCEPTED =
  'audio/*,video/*,.wav,.mp3,.m4a,.flac,.ogg,.opus,.webm,.aac,.amr,.aiff,.caf,.wma,.mkv,.mov,.mp4' +
  ',.ac3,.ape,.au,.dff,.dsf,.gsm,.mp2,.mpc,.ra,.rm,.snd,.sph,.tta,.voc,.w64,.wv,.avi,.flv,.mpg,.mxf,.ts,.m2ts,.vob';

/** Takes files that are dropped on it, and lets people choose some. */
export function DropZone({
  title,
  hint,
  onFiles,
  children,
}: {
  title: string;
  hint: string;
  onFiles: (files: readonly File[]) => void;
  children?: ComponentChildren;
}) {
  const isOver = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      class={`drop-zone ${isOver.value ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length > 0) onFiles(files);
      }}
    >
      <span class="drop-icon">
        <Icon name="upload" />
      </span>
      <h2>{title}</h2>
      <p class="muted">{hint}</p>
      <div class="row">
        <Button kind="primary" onClick={() => input.current?.click()}>
          {text().transcribe.choose}
        </Button>
        {children}
      </div>
      <FileInput input={input} accept={ACCEPTED} multiple onChoose={onFiles} />
    </div>
  );
}
