import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { DocumentOptions, SubtitleOptions } from '@jyutsing/client';
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
import './export.css';
import { TranslationChoice, type ChosenLanguage } from './translation.tsx';

const FORMATS = ['srt', 'vtt', 'txt', 'md', 'docx', 'apkg', 'json'] as const;
type Format = (typeof FORMATS)[number];
const PREVIEW_CHARACTERS = 4_000;

/** Saves the transcript, shows it in a format and hands it out as a file. */
export function Export({ id, editor, onClose }: { id: string; editor: Editor; onClose: () => void }) {
  const { transcript, common, after } = text();
  const dialog = useRef<HTMLDialogElement>(null);
  const format = useSignal<Format>('srt');
  useEffect(() => dialog.current?.showModal(), []);
  const chosen = useSignal<ChosenLanguage>({ language: null, isBilingual: false, isReady: true });
  const isGuided = useSignal(false);
  const withTimes = useSignal(true);
  const withReadings = useSignal(false);
  /** Whether a text of the built-in recognizer says so. */
  const isNoted = useSignal(true);
  const file = useLoaded(async (signal) => {
    const line = editor.isFallback.value && isNoted.value ? transcript.fallbackLine : null;
    const shape = format.value;
    const { language, isBilingual, isReady } = chosen.value;
    const options = {
      ...(language === null ? {} : { language, bilingual: isBilingual }),
      ...(isGuided.value && isSubtitle(shape) ? GUIDE : {}),
      ...(isDocument(shape) ? { times: withTimes.value, jyutping: withReadings.value } : {}),
    };
    if (!isReady) return null;
    const content = await read({ id, format: shape, editor, options }, signal);
    const isPlain = shape === 'srt' || shape === 'vtt' || shape === 'txt';
    return line === null || !isPlain || typeof content !== 'string' ? content : withNotice(shape, content, line);
  });
  const download = (content: string | Blob) => {
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
      <TranslationChoice id={id} editor={editor} chosen={chosen} />
      {isSubtitle(format.value) ? (
        <Switch label={after.guide} checked={isGuided.value} onChange={(checked) => (isGuided.value = checked)} />
      ) : null}
      {isDocument(format.value) ? (
        <>
          <Switch
            label={after.withTimes}
            checked={withTimes.value}
            onChange={(checked) => (withTimes.value = checked)}
          />
          <Switch
            label={after.withReadings}
            checked={withReadings.value}
            onChange={(checked) => (withReadings.value = checked)}
          />
        </>
      ) : null}
      {editor.isFallback.value && ['srt', 'vtt', 'txt'].includes(format.value) ? (
        <Switch
          label={transcript.fallbackSwitch}
          checked={isNoted.value}
          onChange={(checked) => (isNoted.value = checked)}
        />
      ) : null}
      {chosen.value.isReady ? (
        <Shown of={file}>
          {(content) =>
            content === null ? null : <Made content={content} isLoading={file.isLoading} onDownload={download} />
          }
        </Shown>
      ) : null}
    </dialog>
  );
}

/** The file that was made: its beginning, if it is text, and what can be done with it. */
function Made({
  content,
  isLoading,
  onDownload,
}: {
  content: string | Blob;
  isLoading: boolean;
  onDownload: (content: string | Blob) => void;
}) {
  const { transcript, common, after } = text();
  return (
    <>
      {typeof content === 'string' ? (
        <pre tabIndex={0} aria-label={transcript.preview} dir="auto">
          {content.slice(0, PREVIEW_CHARACTERS)}
          {content.length > PREVIEW_CHARACTERS ? '…' : ''}
        </pre>
      ) : (
        <p class="muted small-text">{after.noPreview}</p>
      )}
      <div class="row">
        <Button kind="primary" icon="download" disabled={isLoading} onClick={() => onDownload(content)}>
          {common.download}
        </Button>
        {typeof content === 'string' ? (
          <Button
            icon="copy"
            onClick={() => {
              navigator.clipboard.writeText(content).then(() => notify(common.copied), notifyFailure);
            }}
          >
            {common.copy}
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** Subtitles as guides for Chinese ask for them. */
const GUIDE = { maxLineLength: 16, maxLines: 2, minDuration: 0.833, readingSpeed: 9 };
const isSubtitle = (format: Format) => format === 'srt' || format === 'vtt';
const isDocument = (format: Format) => format === 'md' || format === 'docx';

type Wanted = { id: string; format: Format; editor: Editor; options: SubtitleOptions & DocumentOptions };

async function read({ id, format, editor, options }: Wanted, signal: AbortSignal): Promise<string | Blob> {
  await editor.save();
  const job = client().transcriptions.job(id);
  if (format === 'json') return JSON.stringify(await job.json({ ...options, signal }), null, 2);
  const content = await job[format]({ ...options, signal });
  // Speakers without a name are called as on the screen.
  return typeof content === 'string'
    ? content.replaceAll(/^SPEAKER_\d{2,}(?=: )/gm, (label) => speakerName(label, {}))
    : content;
}
