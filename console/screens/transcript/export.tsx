import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLoaded } from '#console/core/loaded.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { saveFile } from '#console/core/save-file.ts';
import { client } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { Button, Choices, IconButton } from '#console/ui/button.tsx';
import { Switch } from '#console/ui/field.tsx';
import { Shown } from '#console/ui/parts.tsx';
import type { Editor } from './editor.ts';
import { withNotice } from './export-notice.ts';
import { speakerName } from './speakers.tsx';

const FORMATS = ['srt', 'vtt', 'txt', 'json'] as const;
type Format = (typeof FORMATS)[number];
const PREVIEW_CHARACTERS = 4_000;

/** Saves the transcript, shows it in a format and hands it out as a file. */
export function Export({ id, editor, onClose }: { id: string; editor: Editor; onClose: () => void }) {
  const { transcript, common } = text();
  const dialog = useRef<HTMLDialogElement>(null);
  const format = useSignal<Format>('srt');
  useEffect(() => dialog.current?.showModal(), []);
  /** Whether a text of the built-in recognizer says so. */
  const isNoted = useSignal(true);
  const file = useLoaded(async (signal) => {
    const line = editor.isFallback.value && isNoted.value ? transcript.fallbackLine : null;
    const [shape, content] = [format.value, await read(id, format.value, editor, signal)];
    return line === null || shape === 'json' ? content : withNotice(shape, content, line);
  });
  const download = (content: string) => {
    const { title } = editor.content.value;
    // The name leaves out the extension of the recording.
    const name = (title === '' ? common.untitled : title).replace(/\.\w{2,5}$/, '').slice(0, 100);
    saveFile(content, `${name}.${format.value}`);
  };
  return (
    <dialog ref={dialog} class="export" aria-label={transcript.export} onClose={onClose}>
      <header class="row">
        <h2>{transcript.export}</h2>
        <span class="push">
          <IconButton icon="close" label={common.close} onClick={() => dialog.current?.close()} />
        </span>
      </header>
      <Choices
        label={transcript.format}
        options={FORMATS.map((value) => ({ value, label: value.toUpperCase() }))}
        value={format.value}
        onChoose={(value) => (format.value = value)}
      />
      <p class="muted small-text">{transcript.formats[format.value]}</p>
      {editor.isFallback.value && format.value !== 'json' ? (
        <Switch
          label={transcript.fallbackSwitch}
          checked={isNoted.value}
          onChange={(checked) => (isNoted.value = checked)}
        />
      ) : null}
      <Shown of={file}>
        {(content) => (
          <>
            <pre tabIndex={0} aria-label={transcript.preview} dir="auto">
              {content.slice(0, PREVIEW_CHARACTERS)}
              {content.length > PREVIEW_CHARACTERS ? '…' : ''}
            </pre>
            <div class="row">
              <Button kind="primary" icon="download" disabled={file.isLoading} onClick={() => download(content)}>
                {common.download}
              </Button>
              <Button
                icon="copy"
                onClick={() => {
                  navigator.clipboard.writeText(content).then(() => notify(common.copied), notifyFailure);
                }}
              >
                {common.copy}
              </Button>
            </div>
          </>
        )}
      </Shown>
    </dialog>
  );
}

async function read(id: string, format: Format, editor: Editor, signal: AbortSignal): Promise<string> {
  await editor.save();
  const job = client().transcriptions.job(id);
  if (format === 'json') return JSON.stringify(await job.json({ signal }), null, 2);
  const content = await job[format]({ signal });
  // Speakers without a name are called as on the screen.
  return content.replaceAll(/^SPEAKER_\d{2,}(?=: )/gm, (label) => speakerName(label, {}));
}
