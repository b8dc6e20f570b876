import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Language } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { client } from '#console/core/session.ts';
import { lengthFault, text } from '#console/core/text.ts';
import { useDraft } from '#console/core/use-draft.ts';
import { Button, Choices } from '#console/ui/button.tsx';
import { Field, SelectField } from '#console/ui/field.tsx';
import { MicrophoneRecorder } from '#console/ui/microphone-recorder.tsx';
import { Card, FailureBanner, PageHead, Progress } from '#console/ui/parts.tsx';
import { Drills } from './drills.tsx';
import { SENTENCES } from './exercises.ts';
import { isOfSet, SETS } from './sentences.ts';
import { LearnerChoices } from './learner.tsx';
import { PracticeProgress } from './progress.tsx';
import { Result } from './result.tsx';
import { SentencePicker } from './sentence-picker.tsx';
import { usePractice, type Practice, type PracticeDraft } from './use-practice.ts';
import { useSentences } from './use-sentences.ts';
import { WeakPoints } from './weak-points.tsx';
import './pronunciation.css';

const LANGUAGES = ['cantonese', 'mandarin', 'english'] as const;
/** The `lang` of the texts, for fonts and screen readers. */
const WRITTEN_IN = { cantonese: 'zh-HK', mandarin: 'zh-CN', english: 'en' } as const;
const MAX_CHARACTERS = 200;
const [[FIRST = ''] = []] = SETS.greetings;
/** The service takes a minute at most. */
const MAX_SECONDS = 55;

export function Pronunciation() {
  const { pronunciation, languages, common } = text();
  const draft = useDraft<PracticeDraft>('pronunciation', {
    text: FIRST,
    voice: '',
    language: 'cantonese',
    set: 'greetings',
  });
  const { language } = draft.value;
  const choose = (next: Language) => {
    const { text: typed } = draft.value;
    const isExample = typed.trim() === '' || SENTENCES[language].includes(typed.trim()) || isOfSet(typed.trim());
    draft.value = {
      ...draft.value,
      language: next,
      text: isExample ? (next === 'cantonese' ? FIRST : SENTENCES[next][0]) : typed,
    };
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
      <PracticeView key={language} draft={draft} language={language} />
    </>
  );
}

type PracticeViewProps = { draft: Signal<PracticeDraft>; language: Language };

function PracticeView({ draft, language }: PracticeViewProps) {
  const { pronunciation } = text();
  const voices = useLoaded((signal) => client().voices.list({ signal }));
  const offered = (voices.value ?? []).filter((voice) => voice.language === language);
  const voice = offered.find(({ voice_id: id }) => id === draft.value.voice) ?? offered[0];
  const voiceId = voice?.voice_id ?? '';
  const practice = usePractice(draft, language, voiceId);
  const practise = (sentence: string) => {
    draft.value = { ...draft.value, text: sentence };
    practice.failure.value = null;
  };
  const typed = draft.value.text.trim();
  const sentences = useSentences(draft, language, practise);
  return (
    <div class="pronunciation-columns">
      <div class="stack">
        <Card>
          <div class="stack">
            {language === 'cantonese' ? (
              <SentencePicker sentences={sentences} typed={typed} passed={new Set(practice.passed.value.texts)} />
            ) : (
              <Examples draft={draft} language={language} onPractise={practise} />
            )}
            <Turn practice={practice} typed={typed} />
          </div>
        </Card>
        <ResultCard practice={practice} onNext={() => sentences.step(1)} />
        <Card>
          <div class="stack">
            <OwnText draft={draft} language={language} onPractise={practise} />
            {offered.length < 2 ? null : (
              <SelectField
                label={pronunciation.voice}
                value={voiceId}
                options={offered.map(({ voice_id: value, name }) => ({ value, label: name }))}
                onChoose={(id) => (draft.value = { ...draft.value, voice: id })}
              />
            )}
          </div>
        </Card>
      </div>
      <div class="stack">
        <PracticeProgress kept={practice.days.value.kept} passedCount={practice.passed.value.texts.length} />
        <Card title={pronunciation.weak}>
          <div class="stack">
            {language === 'cantonese' ? (
              <WeakPoints attempts={practice.history.value.attempts} onPractise={practise} />
            ) : (
              <p class="muted">{pronunciation.weakElsewhere}</p>
            )}
            {language === 'english' ? null : <LearnerChoices onReset={practice.forget} />}
          </div>
        </Card>
        {language === 'cantonese' ? <Drills onPractise={practise} /> : null}
      </div>
    </div>
  );
}

/** A text of one's own in place of the sentences that are offered. */
function OwnText({ draft, language, onPractise }: PracticeViewProps & { onPractise: (text: string) => void }) {
  const { pronunciation } = text();
  return (
    <Field label={pronunciation.sentence} fault={lengthFault(draft.value.text.trim(), MAX_CHARACTERS)}>
      {(control) => (
        <textarea
          {...control}
          class="input practice-text"
          rows={2}
          lang={WRITTEN_IN[language]}
          dir="auto"
          value={draft.value.text}
          onInput={({ currentTarget }) => onPractise(currentTarget.value)}
        />
      )}
    </Field>
  );
}

function Examples({ draft, language, onPractise }: PracticeViewProps & { onPractise: (text: string) => void }) {
  const typed = draft.value.text.trim();
  return (
    <div class="row" role="group" aria-label={text().pronunciation.examples}>
      {SENTENCES[language].map((sentence) => (
        <Button key={sentence} small pressed={sentence === typed} onClick={() => onPractise(sentence)}>
          {sentence}
        </Button>
      ))}
    </div>
  );
}

/** The buttons that hear and record the text, and how that goes. */
function Turn({ practice, typed }: { practice: Practice; typed: string }) {
  const { pronunciation, common } = text();
  const { busy, failure, learner, hear, judge } = practice;
  const isBarred = typed === '' || lengthFault(typed, MAX_CHARACTERS) !== null || busy !== null;
  return (
    <>
      <div class="row">
        <MicrophoneRecorder
          name={pronunciation.title}
          label={pronunciation.record}
          isPrimary
          maxSeconds={MAX_SECONDS}
          disabled={isBarred}
          onRecorded={judge}
        />
        <Button icon="speak" disabled={isBarred} onClick={hear}>
          {pronunciation.hear}
        </Button>
      </div>
      {busy === null ? null : <Progress label={pronunciation.busy[busy]} fraction={null} />}
      <FailureBanner of={failure.value}>
        {learner?.score === null ? (
          <Button small onClick={() => judge(learner.sound)}>
            {common.retry}
          </Button>
        ) : null}
      </FailureBanner>
    </>
  );
}

type ResultCardProps = { practice: Practice; onNext: () => void };

/** The score of the recording of this text, which comes into sight, also on a phone. */
function ResultCard({ practice: { learner, model, sound, hear }, onNext }: ResultCardProps) {
  const { pronunciation } = text();
  const place = useRef<HTMLDivElement>(null);
  const score = learner?.score ?? null;
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [score]);
  if (learner === null || score === null) return null;
  return (
    <div ref={place}>
      <Card
        title={pronunciation.result}
        actions={
          <span class="row">
            <Button small icon="play" onClick={() => sound.play(learner.sound)}>
              {pronunciation.playMine}
            </Button>
            <Button
              small
              icon="play"
              onClick={() => {
                if (model === null) hear();
                else sound.playAll([learner.sound, model.sound]);
              }}
            >
              {model === null ? pronunciation.hear : pronunciation.playBoth}
            </Button>
          </span>
        }
      >
        <div class="stack">
          <Result of={score} target={model?.syllables ?? null} />
          <div class="row">
            <Button kind={score.passed ? 'primary' : 'quiet'} onClick={onNext}>
              {pronunciation.sets.next}
            </Button>
          </div>
        </div>
      </Card>
    </div>
  );
}
