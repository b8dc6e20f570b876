import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { charactersIn, isSsml } from '#console/core/characters.ts';
import { useLoaded } from '#console/core/loaded.ts';
import { addressOf } from '#console/core/router.ts';
import { client, noticeRefusal } from '#console/core/session.ts';
import { formatNumber, lengthFault, text } from '#console/core/text.ts';
import { useDraft } from '#console/core/use-draft.ts';
import { Card, Empty, FailureBanner, PageHead, Shown } from '#console/ui/parts.tsx';
import { MannerForm } from './manner-form.tsx';
import { headingsOf, passagesOf, withoutHeadingMarks } from './passages.ts';
import { isJyutping } from './reading-parts.ts';
import { useReadings } from './readings.ts';
import { Script, type ScriptProps } from './script.tsx';
import {
  costOf,
  fileOf,
  heardPassage,
  isSpeaking,
  speakAloud,
  stopSpeaking,
  type Manner,
  type Passage,
} from './speaking.ts';
import { MAX_CHARACTERS, TextCard } from './text-card.tsx';
import { useMp3 } from './use-mp3.ts';
import { VoiceCards } from './voice-cards.tsx';
import './speak.css';

export type SpeakDraft = Manner & {
  text: string;
  /** Readings that the user typed in place of those of the service, by passage. */
  readings: Readonly<Record<string, string>>;
};

const AT_FIRST = { readings: {}, voice: null, language: 'cantonese', speed: 1, pitch: 0, duration: null } as const;

export function Speak() {
  const { speak } = text();
  const draft = useDraft<SpeakDraft>('speak', { ...AT_FIRST, text: speak.example });
  const change = (part: Partial<SpeakDraft>) => (draft.value = { ...draft.value, ...part });
  const voices = useLoaded((signal) => client().voices.list({ signal }));
  const usage = useLoaded((signal) => client().usage({ signal }));
  const failure = useSignal<unknown>(null);
  useEffect(() => stopSpeaking, []);
  const mp3 = useMp3(failure, usage.reload);
  const { text: typed, readings: typedReadings, ...chosen } = draft.value;
  const offered = (voices.value ?? []).filter(({ language }) => language === chosen.language);
  const voice = offered.find(({ voice_id: id }) => id === chosen.voice) ?? offered[0];
  const manner: Manner = { ...chosen, voice: voice?.voice_id ?? null };
  const hasReadings = manner.language === 'cantonese';
  // SSML gives readings in its own elements.
  const isEditable = hasReadings && !isSsml(typed);
  const texts = useComputed(() => {
    const { text: value, duration } = draft.value;
    if (charactersIn(value) > MAX_CHARACTERS) return [];
    if (duration === null) return passagesOf(value);
    // A chosen length is that of the whole text, which is therefore one passage.
    const whole = withoutHeadingMarks(value).trim();
    return whole === '' ? [] : [whole];
  });
  const headings = useComputed(() => headingsOf(draft.value.text));
  const cantoneseTexts = useComputed(() => (draft.value.language === 'cantonese' ? texts.value : []));
  const readings = useReadings(cantoneseTexts);
  const passages: Passage[] = texts.value.map((passage) => ({
    text: passage,
    reading: (isEditable ? typedReadings[passage] : undefined) ?? null,
  }));
  const isReadable = passages.every(({ reading }) => reading === null || isJyutping(reading));
  const begin = async () => {
    failure.value = null;
    try {
      await speakAloud(passages, manner);
    } catch (refused) {
      noticeRefusal(refused);
      failure.value = refused;
    } finally {
      usage.reload();
    }
  };
  const cost = costOf(passages, manner);
  const file = isSpeaking.value ? null : fileOf(passages, manner);
  const remaining = usage.value?.quotas['tts_characters']?.remaining;
  const fault = lengthFault(typed, MAX_CHARACTERS);
  const isPreparing = isSpeaking.value && heardPassage.value === null;
  const facts = [
    isPreparing ? speak.preparing : passages.length === 0 || remaining === null ? null : speak.cost(cost),
    typeof remaining === 'number' ? speak.left(formatNumber(remaining)) : null,
  ].filter((fact) => fact !== null);
  return (
    <>
      <PageHead title={speak.title} lead={speak.lead} />
      <div class="speak-columns">
        <div class="stack">
          <TextCard
            typed={typed}
            facts={facts}
            failure={failure.value}
            mayStart={passages.length > 0 && isReadable}
            file={file}
            onType={(value) => change({ text: value })}
            onStart={() => void begin()}
            onSave={() =>
              void mp3.save(passages, headings.value, manner, withoutHeadingMarks(typed).trim().slice(0, 20))
            }
            isSaving={mp3.isSaving}
          />
          <ScriptCard
            passages={passages}
            headings={headings.value}
            manner={manner}
            isEditable={isEditable}
            readings={hasReadings ? readings : null}
            isTooLong={fault !== null}
            onEdit={(of, reading) => {
              const { [of]: _, ...otherReadings } = draft.value.readings;
              change({ readings: reading === null ? otherReadings : { ...otherReadings, [of]: reading } });
            }}
          />
        </div>
        <Card title={speak.manner}>
          <div class="stack">
            <MannerForm manner={chosen} onChange={change} />
            <Shown of={voices}>
              {() => <VoiceCards voices={offered} chosen={manner.voice} onChoose={(id) => change({ voice: id })} />}
            </Shown>
          </div>
        </Card>
      </div>
    </>
  );
}

type ScriptCardProps = Omit<ScriptProps, 'readings'> & {
  /** It is null in a language in which readings are of no use. */
  readings: ReturnType<typeof useReadings> | null;
  isTooLong: boolean;
};

/** How the text is read, which can be changed. */
function ScriptCard({ readings, isTooLong, ...script }: ScriptCardProps) {
  const { speak } = text();
  return (
    <Card title={readings === null ? speak.plainScript : speak.script}>
      {script.isEditable ? (
        <p class="muted small-text script-hint">
          {speak.scriptHint} <a href={addressOf('corpora')}>{speak.lexiconHint}</a>
        </p>
      ) : null}
      <FailureBanner of={readings?.failure.value ?? null} />
      {script.passages.length === 0 ? (
        <Empty icon="speak">{isTooLong ? speak.shorten : speak.none}</Empty>
      ) : (
        <Script {...script} readings={readings?.readingsByText.value ?? null} />
      )}
    </Card>
  );
}
