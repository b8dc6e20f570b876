import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Language, Score } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { notifyFailure } from '#console/core/notices.ts';
import { client } from '#console/core/session.ts';
import { lengthFault, text } from '#console/core/text.ts';
import { useAttempt } from '#console/core/use-attempt.ts';
import { useDraft } from '#console/core/use-draft.ts';
import { Button, Choices } from '#console/ui/button.tsx';
import { Field, SelectField } from '#console/ui/field.tsx';
import { MicrophoneRecorder } from '#console/ui/microphone-recorder.tsx';
import { Card, FailureBanner, PageHead, Progress } from '#console/ui/parts.tsx';
import { DRILLS, SENTENCES } from './exercises.ts';
import { attemptOf, isOfItsText, withAttempt, type Attempt, type ScoredSyllable } from './history.ts';
import { LearnerChoices, speakerId } from './learner.tsx';
import { Result } from './result.tsx';
import { WeakPoints } from './weak-points.tsx';
import './pronunciation.css';

const LANGUAGES = ['cantonese', 'mandarin', 'english'] as const;
/** Of the texts, for fonts and screen readers. */
const WRITTEN_IN = { cantonese: 'zh-HK', mandarin: 'zh-CN', english: 'en' } as const;
const MAX_CHARACTERS = 200;
/** The service takes a minute at most. */
const MAX_SECONDS = 55;

/** A voice that said the text: its sound, and its syllables once they were measured. */
type Model = { text: string; voice: string; sound: Blob; syllables: readonly ScoredSyllable[] | null };
type Own = { text: string; sound: File; score: Score | null };
type Draft = { text: string; voice: string; language: Language };

export function Pronunciation() {
  const { pronunciation, languages, common } = text();
  const draft = useDraft<Draft>('pronunciation', { text: SENTENCES.cantonese[0], voice: '', language: 'cantonese' });
  const { language } = draft.value;
  const choose = (next: Language) => {
    const { text: typed } = draft.value;
    const isExample = typed.trim() === '' || SENTENCES[language].includes(typed.trim());
    draft.value = { ...draft.value, language: next, text: isExample ? SENTENCES[next][0] : typed };
  };
  return (
    <>
      <PageHead title={pronunciation.title} lead={pronunciation.lead}>
        <Choices
          label={common.language}
          options={LANGUAGES.map((value) => ({ value, label: languages[value] ?? value }))}
          value={language}
          onChoose={choose}
        />
      </PageHead>
      <Practice key={language} draft={draft} language={language} />
    </>
  );
}

function Practice({ draft, language }: { draft: Signal<Draft>; language: Language }) {
  const { pronunciation } = text();
  const history = useDraft<{ attempts: readonly Attempt[] }>('pronunciation history', { attempts: [] });
  const voices = useLoaded((signal) => client().voices.list({ signal }));
  const model = useSignal<Model | null>(null);
  const own = useSignal<Own | null>(null);
  const { busy, failure, attempt } = useAttempt<'voice' | 'score'>();
  const sound = usePlayedSound();
  const typed = draft.value.text.trim();
  const hasTones = language !== 'english';
  const offered = (voices.value ?? []).filter((each) => each.language === language);
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
          .speak(typed, { language, voice: id === '' ? undefined : id })
          .blob();
        model.value = { text: typed, voice: id, sound: made, syllables: null };
        sound.play(made);
        const syllables = await syllablesIn(made, typed, language);
        model.value = { text: typed, voice: id, sound: made, syllables };
      } else sound.play(model.value.sound);
    });
  const judge = (recording: File) =>
    attempt('score', async () => {
      own.value = { text: typed, sound: recording, score: null };
      const score = await client().score(recording, typed, { language, speaker: hasTones ? speakerId() : undefined });
      own.value = { text: typed, sound: recording, score };
      if (score.language !== 'cantonese' || !isOfItsText(score.syllables)) return;
      history.value = { attempts: withAttempt(history.value.attempts, attemptOf(score, Date.now())) };
    });
  const mine = own.value?.text === typed ? own.value : null;
  const fault = lengthFault(typed, MAX_CHARACTERS);
  const isBarred = typed === '' || fault !== null || busy.value !== null;
  const theirs = model.value?.text === typed ? model.value : null;
  return (
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
                  lang={WRITTEN_IN[language]}
                  dir="auto"
                  value={draft.value.text}
                  onInput={({ currentTarget }) => practise(currentTarget.value)}
                />
              )}
            </Field>
            <div class="row" role="group" aria-label={pronunciation.examples}>
              {SENTENCES[language].map((sentence) => (
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
              <Button icon="speak" disabled={isBarred} onClick={() => void hear()}>
                {pronunciation.hear}
              </Button>
              <MicrophoneRecorder
                name={pronunciation.title}
                label={pronunciation.record}
                maxSeconds={MAX_SECONDS}
                disabled={isBarred}
                onRecorded={(recording) => void judge(recording)}
              />
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
            {language === 'cantonese' ? (
              <WeakPoints attempts={history.value.attempts} onPractise={practise} />
            ) : (
              <p class="muted">{pronunciation.weakElsewhere}</p>
            )}
            {hasTones ? <LearnerChoices onReset={() => (history.value = { attempts: [] })} /> : null}
          </div>
        </Card>
        {language === 'cantonese' ? <Drills onPractise={practise} /> : null}
      </div>
    </div>
  );
}

/** Pairs of words to practise. */
function Drills({ onPractise }: { onPractise: (text: string) => void }) {
  const { pronunciation } = text();
  return (
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
              onClick={() => onPractise(words.map((each) => each.text).join('、'))}
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
  );
}

/** What was measured of a voice; null in English, where nothing of it is shown. */
async function syllablesIn(sound: Blob, said: string, language: Language): Promise<Model['syllables']> {
  if (language === 'english') return null;
  const { syllables } = await client().score(sound, said, { language });
  return syllables;
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
