import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLoaded } from '#console/core/loaded.ts';
import { uiLanguage } from '#console/core/preferences.ts';
import { client } from '#console/core/session.ts';
import { formatNumber, text } from '#console/core/text.ts';
import { Choices, IconButton } from '#console/ui/button.tsx';
import { SelectField } from '#console/ui/field.tsx';
import { useOwnSets } from './own-sets.ts';
import { levelOf, SET_NAMES, SETS, type Sentence } from './sentences.ts';
import type { PracticeDraft } from './use-practice.ts';

type LevelChoice = 'all' | '1' | '2' | '3';
const LEVELS: readonly LevelChoice[] = ['all', '1', '2', '3'];
const ALL: readonly Sentence[] = SET_NAMES.flatMap((name) => SETS[name]);

/**
 * Offers sentences of a set and a level, and shows the present text with its jyutping and its
 * meaning. `passed` has the texts that were passed before.
 */
export function SentencePicker({
  draft,
  passed,
  onPractise,
}: {
  draft: Signal<PracticeDraft>;
  passed: ReadonlySet<string>;
  onPractise: (text: string) => void;
}) {
  const { sets } = text().pronunciation;
  const level = useSignal<LevelChoice>('all');
  const { lists, sentences } = useOwnSets(draft);
  const { set } = draft.value;
  const shipped = SET_NAMES.find((name) => name === set);
  const isOwn = lists.some(({ name }) => name === set);
  const chosen = isOwn ? set : (shipped ?? 'greetings');
  const all = isOwn ? (sentences ?? []) : SETS[shipped ?? 'greetings'];
  const offered = ofLevel(all, level.value);
  const typed = draft.value.text.trim();
  const at = offered.findIndex(([sentence]) => sentence === typed);
  const practiseFirst = (from: readonly Sentence[]) => {
    const [first] = from;
    if (first !== undefined) onPractise(first[0]);
  };
  const chooseSet = (name: string) => {
    draft.value = { ...draft.value, set: name };
    const next = SET_NAMES.find((offeredName) => offeredName === name);
    if (next !== undefined) practiseFirst(ofLevel(SETS[next], level.value));
  };
  const chooseLevel = (next: LevelChoice) => {
    level.value = next;
    practiseFirst(ofLevel(all, next));
  };
  // The sentences of a word list arrive later.
  useEffect(() => {
    if (sentences !== null && !sentences.some(([sentence]) => sentence === draft.value.text.trim())) {
      practiseFirst(ofLevel(sentences, level.value));
    }
  }, [sentences]);
  const step = (by: number) => {
    const next = offered[at < 0 ? 0 : (at + by + offered.length) % offered.length];
    if (next !== undefined) onPractise(next[0]);
  };
  const done = offered.filter(([sentence]) => passed.has(sentence)).length;
  return (
    <>
      <div class="picker">
        <SelectField
          label={sets.label}
          value={chosen}
          options={[
            ...SET_NAMES.map((name) => ({ value: name as string, label: sets.names[name] })),
            ...lists.map(({ name, title }) => ({ value: name, label: title })),
          ]}
          onChoose={chooseSet}
        />
        <Choices
          label={sets.level}
          options={LEVELS.map((value) => ({ value, label: sets.levels[value] }))}
          value={level.value}
          onChoose={chooseLevel}
        />
      </div>
      <Reading typed={typed} isPassed={passed.has(typed)} />
      <div class="row picker-steps">
        <IconButton icon="previous" label={sets.previous} small={false} onClick={() => step(-1)} />
        <span class="muted small-text tabular">
          {at < 0 ? sets.ownText : sets.place(formatNumber(at + 1), formatNumber(offered.length))}
          {' · '}
          {sets.passed(formatNumber(done))}
        </span>
        <IconButton icon="chevron" label={sets.next} small={false} onClick={() => step(1)} />
      </div>
    </>
  );
}

function ofLevel(all: readonly Sentence[], level: LevelChoice): readonly Sentence[] {
  return level === 'all' ? all : all.filter((sentence) => String(levelOf(sentence)) === level);
}

/** The text in large characters with jyutping above; below, what it means if that is known. */
function Reading({ typed, isPassed }: { typed: string; isPassed: boolean }) {
  const { sets } = text().pronunciation;
  const offered = ALL.find(([sentence]) => sentence === typed);
  const ownReading = useReadingOf(offered === undefined ? typed : '');
  const syllables = (offered?.[1] ?? ownReading).split(' ').filter((syllable) => syllable !== '');
  const characters = [...typed];
  // Numbers and Latin words have syllables of their own, which stand above no single character.
  const isAligned = characters.filter((character) => HAN.test(character)).length === syllables.length;
  let next = 0;
  return (
    <div class="reading">
      <p class="reading-text" lang="zh-HK" dir="auto">
        {isAligned
          ? characters.map((character, index) =>
              HAN.test(character) ? (
                <ruby key={index}>
                  {character}
                  <rt lang="yue-Latn">{syllables[next++]}</rt>
                </ruby>
              ) : (
                character
              ),
            )
          : typed}
        {isPassed ? <span class="badge good">{sets.done}</span> : null}
      </p>
      {isAligned || syllables.length === 0 ? null : <p lang="yue-Latn">{syllables.join(' ')}</p>}
      {offered === undefined ? null : <p class="muted">{uiLanguage.value === 'en' ? offered[2] : offered[3]}</p>}
    </div>
  );
}

const HAN = /\p{Script=Han}/u;
const MAX_READ = 200;

/** The jyutping of a text of one's own; empty until the service has answered. */
function useReadingOf(typed: string): string {
  const present = useSignal(typed);
  present.value = typed;
  const reading = useLoaded(async (signal) => {
    const { value } = present;
    if (value === '' || value.length > MAX_READ) return { of: value, jyutping: '' };
    return {
      of: value,
      jyutping: await client()
        .jyutping(value, { signal })
        .catch(() => ''),
    };
  });
  return reading.value?.of === typed ? reading.value.jyutping : '';
}
