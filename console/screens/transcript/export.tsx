import { useSignal, useSignalEffect } from '@preact/signals';
import type { DocumentOptions, SubtitleOptions } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { saveFile } from '#console/core/save-file.ts';
import { client } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { Button, Choices } from '#console/ui/button.tsx';
import { Switch } from '#console/ui/field.tsx';
import { Shown } from '#console/ui/parts.tsx';
import { TAGS } from './beside.tsx';
import type { Editor } from './editor.ts';
import { chosenFileOptions, exportChoices, exportName, FORMATS, offers, type Format } from './export-choices.ts';
import { withNotice } from './export-notice.ts';
import { Sheet } from './sheet.tsx';
import { speakerName } from './speakers.tsx';
import './export.css';
import { TranslationChoice, type ChosenLanguage } from './translation.tsx';

const PREVIEW_CHARACTERS = 4_000;

/** Saves the transcript, shows it in a format and hands it out as a file. */
export function Export({ id, editor, onClose }: { id: string; editor: Editor; onClose: () => void }) {
  const { transcript, common } = text();
  const { format, language: lastLanguage, isBilingual: wasBilingual, isNoted } = exportChoices;
  const chosen = useSignal<ChosenLanguage>({
    language: lastLanguage.value,
    isBilingual: wasBilingual.value,
    isReady: lastLanguage.value === null,
  });
  useSignalEffect(() => {
    lastLanguage.value = chosen.value.language;
    wasBilingual.value = chosen.value.isBilingual;
  });
  const file = useLoaded(async (signal) => {
    const note = editor.isFallback.value && isNoted.value ? transcript.fallbackLine : null;
    const shape = format.value;
    const { language, isBilingual, isReady } = chosen.value;
    const options = {
      ...(language === null ? {} : { language, bilingual: isBilingual }),
      ...chosenFileOptions({ note, speakerLabel: transcript.speakerNumber('{n}') }),
    };
    if (!isReady) return null;
    const content = await read({ id, format: shape, editor, options }, signal);
    const isPlain = shape === 'srt' || shape === 'vtt' || shape === 'txt';
    return note === null || !isPlain || typeof content !== 'string' ? content : withNotice(shape, content, note);
  });
  const download = (content: string | Blob) => {
    const { title } = editor.content.value;
    const { language, isBilingual } = chosen.value;
    const tag = language === null ? null : TAGS[language];
    const both = isBilingual && offers.bilingual(format.value) ? `yue-${tag}` : tag;
    saveFile(content, exportName(title === '' ? common.untitled : title, both, format.value));
  };
  return (
    <Sheet title={transcript.export} onClose={onClose}>
      <Choices
        label={transcript.format}
        options={FORMATS.map((value) => ({ value, label: value.toUpperCase() }))}
        value={format.value}
        onChoose={(value) => (format.value = value)}
      />
      <p class="muted small-text">{transcript.formats[format.value]}</p>
      <TranslationChoice id={id} editor={editor} chosen={chosen} withBilingual={offers.bilingual(format.value)} />
      <FormatChoices editor={editor} format={format.value} />
      {chosen.value.isReady ? (
        <Shown of={file}>
          {(content) =>
            content === null ? null : <Made content={content} isLoading={file.isLoading} onDownload={download} />
          }
        </Shown>
      ) : null}
    </Sheet>
  );
}

/** The choices that this format has. */
function FormatChoices({ editor, format }: { editor: Editor; format: Format }) {
  const { transcript, after } = text();
  const { isGuided, times, hasReadings, speakers, isNoted } = exportChoices;
  const labels = editor.labels.value;
  const isNamed = labels.length > 1 || labels.some((label) => (editor.names.value[label] ?? '') !== '');
  return (
    <>
      {offers.guide(format) ? (
        <Switch label={after.guide} checked={isGuided.value} onChange={(checked) => (isGuided.value = checked)} />
      ) : null}
      {offers.times(format) ? (
        <Switch
          label={after.withTimes}
          checked={times.value[format] ?? false}
          onChange={(checked) => (times.value = { ...times.value, [format]: checked })}
        />
      ) : null}
      {offers.speakers(format) && labels.length > 0 ? (
        <Switch
          label={transcript.speakers}
          checked={speakers.value ?? isNamed}
          onChange={(checked) => (speakers.value = checked)}
        />
      ) : null}
      {offers.readings(format) ? (
        <Switch
          label={after.withReadings}
          checked={hasReadings.value}
          onChange={(checked) => (hasReadings.value = checked)}
        />
      ) : null}
      {editor.isFallback.value && offers.note(format) ? (
        <Switch
          label={transcript.fallbackSwitch}
          checked={isNoted.value}
          onChange={(checked) => (isNoted.value = checked)}
        />
      ) : null}
    </>
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

type Wanted = { id: string; format: Format; editor: Editor; options: SubtitleOptions & DocumentOptions };

async function read({ id, format, editor, options }: Wanted, signal: AbortSignal): Promise<string | Blob> {
  await editor.save();
  const job = client().transcriptions.job(id);
  if (format === 'json') return JSON.stringify(await job.json({ ...options, signal }), null, 2);
  const content = await job[format]({ ...options, signal });
  // Speakers without a name are called as on the screen.
  return typeof content === 'string'
    ? content.replaceAll(
        /^(\[[\d:]+\] )?(SPEAKER_\d{2,})(?=: )/gm,
        (_, time, label) => `${time ?? ''}${speakerName(label, {})}`,
      )
    : content;
}
