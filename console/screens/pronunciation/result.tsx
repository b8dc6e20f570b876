import type { Score } from '@jyutsing/client';
import { formatNumber, text } from '#console/core/text.ts';
import { Contour, usualShape } from './contour.tsx';
import { isWrong, PARTS, type ScoredSyllable } from './history.ts';

/** The score, and for each syllable what was right. `target` null: no voice was heard. */
export function Result({ of, target }: { of: Score<'cantonese'>; target: readonly ScoredSyllable[] | null }) {
  const { pronunciation } = text();
  return (
    <div class="stack">
      <p class="result-score" role="status">
        <strong class="tabular">{formatNumber(Math.round(of.score))}</strong>
        <span class={`badge ${of.passed ? 'good' : 'busy'}`}>
          {of.passed ? pronunciation.passed : pronunciation.notYet}
        </span>
      </p>
      <p class="row small-text muted contour-legend">
        <span class="legend-own">{pronunciation.yours}</span>
        <span class="legend-target">{target === null ? pronunciation.usual : pronunciation.ofVoice}</span>
      </p>
      <ol class="syllables">
        {of.syllables.map((syllable, index) => (
          <Syllable key={index} of={syllable} target={contourFor(syllable, target?.[index])} />
        ))}
      </ol>
    </div>
  );
}

function contourFor({ tone }: ScoredSyllable, voice: ScoredSyllable | undefined): readonly number[] {
  const spoken = voice?.tone.contour ?? [];
  return spoken.length > 0 ? spoken : usualShape(tone.expected);
}

const BADGES = { right: 'good', variant: 'good', unsure: 'busy', wrong: 'bad', omitted: 'bad' } as const;
const MARKS = { right: ' ✓', variant: ' ✓', unsure: ' ?', wrong: ' ✗', omitted: ' ✗' } as const;

function Syllable({ of, target }: { of: ScoredSyllable; target: readonly number[] }) {
  const { pronunciation } = text();
  return (
    <li class={`syllable ${of.verdict}`}>
      <ruby>
        {of.text}
        <rt>{of.expected}</rt>
      </ruby>
      <span class={`badge ${BADGES[of.verdict]}`}>{pronunciation.verdicts[of.verdict]}</span>
      <Contour own={of.tone.contour} target={target} />
      <dl class="small-text">
        {PARTS.map((part) => {
          const { expected, heard, verdict } = of[part];
          const wrong = isWrong(verdict);
          return (
            <div key={part} class={wrong ? 'part-wrong' : ''}>
              <dt>{pronunciation.parts[part]}</dt>
              <dd>
                {expected === '' ? '∅' : expected}
                {heard === null || heard === expected ? '' : ` → ${heard === '' ? '∅' : heard}`}
                <span class="visually-hidden">{pronunciation.verdicts[verdict]}</span>
                <span aria-hidden="true">{MARKS[verdict]}</span>
              </dd>
            </div>
          );
        })}
      </dl>
    </li>
  );
}
