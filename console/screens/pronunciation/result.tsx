import type { Score } from '@jyutsing/client';
import { useSignal } from '@preact/signals';
import { formatNumber, text } from '#console/core/text.ts';
import { Contour, usualShape } from './contour.tsx';
import { isOfItsText, isWrong, PARTS, type ScoredSyllable } from './history.ts';

type Word = Score<'english'>['words'][number];

/**
 * Shows the score, and for each syllable or word what was right. `target` is null while no voice
 * has said the text.
 */
export function Result({ of, target }: { of: Score; target: readonly ScoredSyllable[] | null }) {
  const { pronunciation } = text();
  /** The part whose details a phone shows. */
  const chosen = useSignal(-1);
  const parts = of.language === 'english' ? of.words : of.syllables;
  return (
    <div class="stack">
      <p class="result-score" role="status">
        <strong class="tabular">{formatNumber(Math.round(of.score))}</strong>
        <span class={`badge ${of.passed ? 'good' : 'busy'}`}>
          {of.passed ? pronunciation.passed : pronunciation.notYet}
        </span>
        {of.language === 'cantonese' ? null : (
          <span class="muted small-text">
            {pronunciation.measures(
              ...([of.accuracyScore, of.fluencyScore, of.integrityScore].map((points) =>
                formatNumber(Math.round(points)),
              ) as [string, string, string]),
            )}
          </span>
        )}
      </p>
      <Faults of={of} />
      <p class="one-line" lang={of.language === 'english' ? 'en' : 'zh-HK'}>
        {parts.map((part, index) => (
          <button
            key={index}
            type="button"
            class={part.verdict}
            aria-pressed={chosen.value === index}
            aria-label={`${part.text} ${pronunciation.verdicts[part.verdict] ?? ''}`}
            onClick={() => (chosen.value = chosen.value === index ? -1 : index)}
          >
            {part.text}
          </button>
        ))}
      </p>
      <p class="muted small-text tap-hint">{pronunciation.tap}</p>
      {of.language === 'english' ? (
        <ol class="syllables">
          {of.words.map((word, index) => (
            <SpokenWord key={index} of={word} isChosen={chosen.value === index} />
          ))}
        </ol>
      ) : (
        <>
          {isOfItsText(of.syllables) ? null : <p class="muted">{pronunciation.otherText}</p>}
          <p class="row small-text muted contour-legend">
            <span class="legend-own">{pronunciation.yours}</span>
            <span class="legend-target">{target === null ? pronunciation.usual : pronunciation.ofVoice}</span>
          </p>
          <ol class="syllables">
            {of.syllables.map((syllable, index) => (
              <Syllable
                key={index}
                of={syllable}
                isChosen={chosen.value === index}
                target={contourFor(of.language, syllable, target?.[index])}
              />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

/** Says why the score does not pass, and which speech the text does not have or lacks. */
function Faults({ of: { reason, insertions, omissions } }: { of: Score }) {
  const { pronunciation } = text();
  const list = (parts: readonly string[]) => parts.join(pronunciation.separator);
  const added = insertions.filter(({ kind }) => kind !== 'filler').map((insertion) => insertion.heard);
  const fillers = insertions.filter(({ kind }) => kind === 'filler').map((insertion) => insertion.heard);
  const sentences = [
    reason === null ? null : pronunciation.reasons[reason.code],
    added.length === 0 ? null : pronunciation.added(list(added)),
    fillers.length === 0 ? null : pronunciation.fillers(list(fillers)),
    omissions.length === 0 ? null : pronunciation.omitted(list(omissions.map((omission) => omission.text))),
  ].filter((sentence) => sentence !== null);
  if (sentences.length === 0) return null;
  return (
    <ul class="faults">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

function contourFor(
  language: 'cantonese' | 'mandarin',
  { tone }: ScoredSyllable,
  voice: ScoredSyllable | undefined,
): readonly number[] {
  const spoken = voice?.tone.contour ?? [];
  return spoken.length > 0 ? spoken : usualShape(language, tone.expected);
}

const BADGES = { right: 'good', variant: 'good', unsure: 'busy', wrong: 'bad', omitted: 'bad' } as const;
const MARKS = { right: ' ✓', variant: ' ✓', unsure: ' ?', wrong: ' ✗', omitted: ' ✗' } as const;

function Syllable({ of, target, isChosen }: { of: ScoredSyllable; target: readonly number[]; isChosen: boolean }) {
  const { pronunciation } = text();
  return (
    <li class={`syllable ${of.verdict} ${isChosen ? 'chosen' : ''}`}>
      <ruby>
        {of.text}
        {of.text === of.expected ? null : <rt>{of.expected}</rt>}
      </ruby>
      <VerdictBadge of={of.verdict} />
      <Contour spoken={of.tone.contour} target={target} />
      <dl class="small-text">
        {PARTS.map((part) => (
          <div key={part} class={isWrong(of[part].verdict) ? 'part-wrong' : ''}>
            <dt>{pronunciation.parts[part]}</dt>
            <dd>
              <Compared of={of[part]} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** A word with its phones in ARPAbet. */
function SpokenWord({ of, isChosen }: { of: Word; isChosen: boolean }) {
  return (
    <li class={`syllable ${of.verdict} ${isChosen ? 'chosen' : ''}`}>
      <span class="spoken-word" lang="en">
        {of.text}
      </span>
      <VerdictBadge of={of.verdict} />
      <ul class="small-text phones">
        {of.phonemes.map((phone, index) => (
          <li key={index} class={isWrong(phone.verdict) ? 'part-wrong' : ''}>
            <Compared of={phone} />
          </li>
        ))}
      </ul>
    </li>
  );
}

type Verdict = ScoredSyllable['verdict'];

function VerdictBadge({ of }: { of: Verdict }) {
  return <span class={`badge ${BADGES[of]}`}>{text().pronunciation.verdicts[of]}</span>;
}

type Part = { expected: string | number; heard: string | number | null; verdict: Verdict };

/** Shows what was expected and, where it differs, what was heard. */
function Compared({ of: { expected, heard: heardPart, verdict } }: { of: Part }) {
  return (
    <>
      {expected === '' ? '∅' : expected}
      {heardPart === null || heardPart === expected ? '' : ` → ${heardPart === '' ? '∅' : heardPart}`}
      <span class="visually-hidden">{text().pronunciation.verdicts[verdict]}</span>
      <span aria-hidden="true">{MARKS[verdict]}</span>
    </>
  );
}
