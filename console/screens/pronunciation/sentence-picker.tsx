import { useSignal } from '@preact/signals';
import { useLoaded } from '#console/core/loaded.ts';
import { uiLanguage } from '#console/core/preferences.ts';
import { client } from '#console/core/session.ts';
import { formatNumber, text } from '#console/core/text.ts';
import { Choices, IconButton } from '#console/ui/button.tsx';
import { SelectField } from '#console/ui/field.tsx';
import { SET_NAMES, SETS, type Sentence } from './sentences.ts';
import type { LevelChoice, Sentences } from './use-sentences.ts';

const LEVELS: readonly LevelChoice[] = ['all', '1', '2', '3'];
const ALL: readonly Sentence[] = SET_NAMES.flatMap((name) => SETS[name]);

type PickerProps = {
  sentences: Sentences;
  typed: string;
  /** The texts that were passed before. */
  passed: ReadonlySet<string>;
};

/** Offers sentences of a set and a level, and shows the present text with jyutping and meaning. */
export function SentencePicker({ sentences, typed, passed }: PickerProps) {
  const { sets } = text().pronunciation;
  const { offered, at, step } = sentences;
  const done = offered.filter((sentence) => passed.has(sentence)).length;
  return (
    <>
      <div class="picker">
        <SelectField label={sets.label} value={sentences.set} options={sentences.sets} onChoose={sentences.chooseSet} />
        <Choices
          label={sets.level}
          options={LEVELS.map((value) => ({ value, label: sets.levels[value] }))}
          value={sentences.level}
          onChoose={sentences.chooseLevel}
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
