import type { Score } from '@jyutsing/client';
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
      {of.language === 'english' ? (
        <ol class="syllables">
          {of.words.map((word, index) => (
            <SpokenWord key={index} of={word} />
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
              <Syllable key={index} of={syllable} target={contourFor(of.language, syllable, target?.[index])} />
            ))}
          </ol>
        </>
      )}
    </div>
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

function Syllable({ of, target }: { of: ScoredSyllable; target: readonly number[] }) {
  const { pronunciation } = text();
  return (
    <li class={`syllable ${of.verdict}`}>
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
function SpokenWord({ of }: { of: Word }) {
  return (
    <li class={`syllable ${of.verdict}`}>
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
