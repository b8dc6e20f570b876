import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Score } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { notifyFailure } from '#console/core/notices.ts';
import { client } from '#console/core/session.ts';
import { lengthFault, text } from '#console/core/text.ts';
import { useAttempt } from '#console/core/use-attempt.ts';
import { useDraft } from '#console/core/use-draft.ts';
import { Button } from '#console/ui/button.tsx';
import { Field, SelectField } from '#console/ui/field.tsx';
import { MicrophoneRecorder } from '#console/ui/microphone-recorder.tsx';
import { Card, FailureBanner, PageHead, Progress } from '#console/ui/parts.tsx';
import { DRILLS, SENTENCES } from './exercises.ts';
import { attemptOf, withAttempt, type Attempt, type ScoredSyllable } from './history.ts';
import { LearnerChoices, speakerId } from './learner.tsx';
import { Result } from './result.tsx';
import { WeakPoints } from './weak-points.tsx';
import './pronunciation.css';

const MAX_CHARACTERS = 200;
/** The service takes a minute at most. */
const MAX_SECONDS = 55;

/** A voice that said the text: its sound, and its syllables once they were measured. */
type Model = { text: string; voice: string; sound: Blob; syllables: readonly ScoredSyllable[] | null };
type Own = { text: string; sound: File; score: Score<'cantonese'> | null };

export function Pronunciation() {
  const { pronunciation } = text();
  const draft = useDraft('pronunciation', { text: SENTENCES[0] as string, voice: '' });
  const history = useDraft<{ attempts: readonly Attempt[] }>('pronunciation history', { attempts: [] });
  const voices = useLoaded((signal) => client().voices.list({ signal }));
  const model = useSignal<Model | null>(null);
  const own = useSignal<Own | null>(null);
  const { busy, failure, attempt } = useAttempt<'voice' | 'score'>();
  const sound = usePlayedSound();
  const typed = draft.value.text.trim();
  const offered = (voices.value ?? []).filter(({ language }) => language === 'cantonese');
  const voice = offered.find(({ voice_id: id }) => id === draft.value.voice) ?? offered[0];
  const practise = (sentence: string) => {
    draft.value = { ...draft.value, text: sentence };
    failure.value = null;
  };
  const hear = () =>
    attempt('voice', async () => {
      const id = voice?.voice_id ?? '';
      if (model.value?.text !== typed || model.value.voice !== id) {
        const made = await client()
          .speak(typed, { voice: id === '' ? undefined : id })
          .blob();
        model.value = { text: typed, voice: id, sound: made, syllables: null };
        sound.play(made);
        const { syllables } = await client().score(made, typed);
        model.value = { text: typed, voice: id, sound: made, syllables };
      } else sound.play(model.value.sound);
    });
  const judge = (recording: File) =>
    attempt('score', async () => {
      own.value = { text: typed, sound: recording, score: null };
      const score = await client().score(recording, typed, { speaker: speakerId() });
      own.value = { text: typed, sound: recording, score };
      history.value = { attempts: withAttempt(history.value.attempts, attemptOf(score, Date.now())) };
    });
  const mine = own.value?.text === typed ? own.value : null;
  const fault = lengthFault(typed, MAX_CHARACTERS);
  const theirs = model.value?.text === typed ? model.value : null;
  return (
    <>
      <PageHead title={pronunciation.title} lead={pronunciation.lead} />
      <div class="pronunciation-columns">
        <div class="stack">
          <Card>
            <div class="stack">
              <Field label={pronunciation.sentence} fault={fault}>
                {(control) => (
                  <textarea
                    {...control}
                    class="input practice-text"
                    rows={2}
                    lang="zh-HK"
                    dir="auto"
                    value={draft.value.text}
                    onInput={({ currentTarget }) => practise(currentTarget.value)}
                  />
                )}
              </Field>
              <div class="row" role="group" aria-label={pronunciation.examples}>
                {SENTENCES.map((sentence) => (
                  <Button key={sentence} small pressed={sentence === typed} onClick={() => practise(sentence)}>
                    {sentence}
                  </Button>
                ))}
              </div>
              {offered.length < 2 ? null : (
                <SelectField
                  label={pronunciation.voice}
                  value={voice?.voice_id ?? ''}
                  options={offered.map(({ voice_id: value, name }) => ({ value, label: name }))}
                  onChoose={(id) => (draft.value = { ...draft.value, voice: id })}
                />
              )}
              <div class="row">
                <Button
                  icon="speak"
                  disabled={typed === '' || fault !== null || busy.value !== null}
                  onClick={() => void hear()}
                >
                  {pronunciation.hear}
                </Button>
                {typed === '' || busy.value !== null ? null : (
                  <MicrophoneRecorder
                    name={pronunciation.title}
                    label={pronunciation.record}
                    maxSeconds={MAX_SECONDS}
                    disabled={fault !== null}
                    onRecorded={(recording) => void judge(recording)}
                  />
                )}
              </div>
              {busy.value === null ? null : <Progress label={pronunciation.busy[busy.value]} fraction={null} />}
              <FailureBanner of={failure.value}>
                {mine?.score === null ? (
                  <Button small onClick={() => void judge(mine.sound)}>
                    {text().common.retry}
                  </Button>
                ) : null}
              </FailureBanner>
            </div>
          </Card>
          {mine === null || mine.score === null ? null : (
            <Card
              title={pronunciation.result}
              actions={
                <span class="row">
                  <Button small icon="play" onClick={() => sound.play(mine.sound)}>
                    {pronunciation.playMine}
                  </Button>
                  <Button
                    small
                    icon="play"
                    onClick={() => {
                      if (theirs === null) void hear();
                      else sound.playAll([mine.sound, theirs.sound]);
                    }}
                  >
                    {theirs === null ? pronunciation.hear : pronunciation.playBoth}
                  </Button>
                </span>
              }
            >
              <Result of={mine.score} target={theirs?.syllables ?? null} />
            </Card>
          )}
        </div>
        <div class="stack">
          <Card title={pronunciation.weak}>
            <div class="stack">
              <WeakPoints attempts={history.value.attempts} onPractise={practise} />
              <LearnerChoices onReset={() => (history.value = { attempts: [] })} />
            </div>
          </Card>
          <Card title={pronunciation.drills}>
            <p class="muted small-text">{pronunciation.drillsHint}</p>
            <ul class="drills">
              {DRILLS.map(({ contrast, words }) => (
                <li key={words[0]?.jyutping}>
                  <span class="muted small-text">{pronunciation.contrasts[contrast]}</span>
                  <Button
                    small
                    kind="quiet"
                    label={pronunciation.practise(words.map((each) => `${each.text} ${each.jyutping}`).join('、'))}
                    onClick={() => practise(words.map((each) => each.text).join('、'))}
                  >
                    <span class="drill-words" lang="zh-HK">
                      {words.map((each) => (
                        <ruby key={each.jyutping}>
                          {each.text}
                          <rt>{each.jyutping}</rt>
                        </ruby>
                      ))}
                    </span>
                  </Button>
                </li>
              ))}
            </ul>
          </Card>
        </div>
      </div>
    </>
  );
}

/** Plays one recording after the other; stops with the screen. */
function usePlayedSound() {
  const playing = useSignal<HTMLAudioElement | null>(null);
  const stop = () => playing.peek()?.pause();
  useEffect(() => stop, []);
  const playAll = ([first, ...rest]: readonly Blob[]) => {
    stop();
    if (first === undefined) return;
    const url = URL.createObjectURL(first);
    const sound = new Audio(url);
    playing.value = sound;
    sound.addEventListener('ended', () => {
      URL.revokeObjectURL(url);
      playAll(rest);
    });
    sound.play().catch(notifyFailure);
  };
  return { playAll, play: (sound: Blob) => playAll([sound]) };
}
