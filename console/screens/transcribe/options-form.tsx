import type { CorpusSummary } from '@jyutsing/client';
import { text } from '#console/core/text.ts';
import { Field, SelectField, Switch } from '#console/ui/field.tsx';
import { contextFault, options } from './options.ts';
import { usedCorpora } from '#console/core/used-corpora.ts';

const LANGUAGES = ['cantonese', 'mandarin', 'english', 'auto'] as const;
const MOST_SPEAKERS = 10;

export function OptionsForm({ corpora }: { corpora: readonly CorpusSummary[] }) {
  const { transcribe, languages } = text();
  const { language, separateChannels, fusion, keepAudio, context } = options;
  return (
    <div class="stack">
      <SelectField
        label={transcribe.language}
        value={language.value}
        options={LANGUAGES.map((value) => ({ value, label: languages[value] ?? value }))}
        onChoose={(value) => (language.value = value)}
      />
      <Switch
        label={transcribe.channels}
        hint={transcribe.channelsHint}
        checked={separateChannels.value}
        onChange={(checked) => (separateChannels.value = checked)}
      />
      {separateChannels.value ? null : <SpeakerChoice />}
      <Switch
        label={transcribe.keep}
        hint={transcribe.keepHint}
        checked={keepAudio.value}
        onChange={(checked) => (keepAudio.value = checked)}
      />
      {language.value === 'mandarin' || language.value === 'english' ? null : (
        <Switch
          label={transcribe.fusion}
          hint={transcribe.fusionHint}
          checked={fusion.value}
          onChange={(checked) => (fusion.value = checked)}
        />
      )}
      <Field label={transcribe.context} hint={transcribe.contextHint} fault={contextFault()}>
        {(control) => (
          <textarea
            {...control}
            class="input"
            rows={2}
            value={context.value}
            onInput={({ currentTarget }) => (context.value = currentTarget.value)}
          />
        )}
      </Field>
      {fusion.value ? <CorpusChoice corpora={corpora} /> : null}
    </div>
  );
}

/** Chooses whether speakers are told apart, and how many there are. */
function SpeakerChoice() {
  const { transcribe } = text();
  const { diarization, speakers } = options;
  const counts = Array.from({ length: MOST_SPEAKERS - 1 }, (_, index) => String(index + 2));
  return (
    <>
      <Switch
        label={transcribe.speakers}
        checked={diarization.value}
        onChange={(checked) => (diarization.value = checked)}
      />
      {diarization.value ? (
        <SelectField
          label={transcribe.speakerCount}
          value={speakers.value}
          options={[{ value: '', label: transcribe.speakerAny }, ...counts.map((value) => ({ value, label: value }))]}
          onChoose={(value) => (speakers.value = value)}
        />
      ) : null}
    </>
  );
}

/** Chooses the word lists that are used; at first all are. */
function CorpusChoice({ corpora }: { corpora: readonly CorpusSummary[] }) {
  const { transcribe } = text();
  const { tickedCorpora: ticked } = options;
  if (corpora.length === 0) return null;
  const used = usedCorpora(corpora, ticked.value);
  return (
    <fieldset class="checks word-lists">
      <legend>{transcribe.corpora}</legend>
      {corpora.map(({ id, name }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={used.includes(id)}
            onChange={({ currentTarget }) => (ticked.value = { ...ticked.value, [id]: currentTarget.checked })}
          />
          <span dir="auto">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
