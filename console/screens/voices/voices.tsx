import { useSignal } from '@preact/signals';
import type { VoiceSummary } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { notifyFailure } from '#console/core/notices.ts';
import { client } from '#console/core/session.ts';
import { lengthFault, text } from '#console/core/text.ts';
import { useDraft } from '#console/core/use-draft.ts';
import { Field } from '#console/ui/field.tsx';
import { Card, Empty, PageHead, Shown } from '#console/ui/parts.tsx';
import { SoundPlayer } from '#console/ui/sound-player.tsx';
import { NewVoice } from './new-voice.tsx';
import { VoiceList } from './voice-list.tsx';
import './voices.css';

const MAX_TRIAL_CHARACTERS = 500;

export function Voices() {
  const { voices: messages } = text();
  const voices = useLoaded((signal) => client().voices.list({ signal }));
  const played = useSignal<{ sound: Blob; name: string } | null>(null);
  const trial = useDraft('voice trial', { text: messages.tryDefault });
  const busy = useSignal<string | null>(null);
  const fault = lengthFault(trial.value.text, MAX_TRIAL_CHARACTERS);
  const hear = async (voice: VoiceSummary, load: () => Promise<Blob>) => {
    busy.value = voice.voice_id;
    try {
      const sound = await load();
      played.value = { sound, name: voice.name };
    } catch (failure) {
      notifyFailure(failure);
    } finally {
      busy.value = null;
    }
  };
  const speak = (voice: VoiceSummary) =>
    hear(voice, () => client().speak(trial.value.text, { voice: voice.voice_id }).blob());
  const remove = async ({ voice_id: id, name }: VoiceSummary) => {
    if (!confirm(messages.deleteQuestion(name))) return;
    await client().voices.delete(id).catch(notifyFailure);
    voices.reload();
  };
  const list = (all: readonly VoiceSummary[]) => (
    <VoiceList
      voices={all}
      isBusy={busy.value !== null}
      mayTry={fault === null && trial.value.text.trim() !== ''}
      onSample={(voice) => void hear(voice, () => client().voices.sample(voice.voice_id))}
      onTry={(voice) => void speak(voice)}
      onRemove={(voice) => void remove(voice)}
    />
  );
  return (
    <>
      <PageHead title={messages.title} lead={messages.lead} />
      <div class="voices-columns">
        <div class="stack">
          <Card>
            <div class="stack">
              <Field label={messages.tryText} fault={fault}>
                {(control) => (
                  <textarea
                    {...control}
                    class="input"
                    rows={2}
                    dir="auto"
                    value={trial.value.text}
                    onInput={({ currentTarget }) => (trial.value = { text: currentTarget.value })}
                  />
                )}
              </Field>
              {played.value === null ? null : (
                <SoundPlayer sound={played.value.sound} name={played.value.name} autoplay />
              )}
            </div>
          </Card>
          <Shown of={voices}>
            {(all) => {
              const personal = all.filter((voice) => !voice.public);
              return (
                <>
                  <Card title={messages.own}>
                    {personal.length === 0 ? <Empty icon="voices">{messages.none}</Empty> : list(personal)}
                  </Card>
                  <Card title={messages.shipped}>{list(all.filter((voice) => voice.public))}</Card>
                </>
              );
            }}
          </Shown>
        </div>
        <Card title={messages.fresh}>
          <NewVoice
            onMade={(voice) => {
              voices.reload();
              void speak(voice);
            }}
          />
        </Card>
      </div>
    </>
  );
}
