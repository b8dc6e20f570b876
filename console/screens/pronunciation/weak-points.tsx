import { formatNumber, formatPercent, text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Empty } from '#console/ui/parts.tsx';
import { WEAK_BELOW, weakParts, weakSyllables, type Attempt, type PartRecord } from './history.ts';

const [WIDTH, HEIGHT] = [96, 24];

/** Shows the onsets, rimes, tones and syllables that were often wrong in this browser. */
export function WeakPoints({
  attempts,
  onPractise,
}: {
  attempts: readonly Attempt[];
  onPractise: (text: string) => void;
}) {
  const { pronunciation } = text();
  if (attempts.length === 0) return <Empty icon="pronunciation">{pronunciation.noHistory}</Empty>;
  const parts = weakParts(attempts);
  const syllables = weakSyllables(attempts);
  const bound = formatPercent(WEAK_BELOW);
  if (parts.length === 0 && syllables.length === 0) return <p class="muted">{pronunciation.noneWeak(bound)}</p>;
  return (
    <div class="stack">
      {parts.length === 0 ? null : (
        <>
          <p class="muted small-text">{pronunciation.weakHint(bound)}</p>
          <ul class="weak-parts">
            {parts.map((record) => (
              <li key={`${record.part} ${record.value}`}>
                <strong>{pronunciation.part[record.part](record.value === '' ? '∅' : record.value)}</strong>
                <Course of={record} />
                <span class="tabular">{formatPercent(record.right)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {syllables.length === 0 ? null : (
        <>
          <h3>{pronunciation.weakSyllables}</h3>
          <div class="row">
            {syllables.map(({ expected, text: character, score }) => {
              const shown = character === expected ? expected : `${character} ${expected}`;
              return (
                <Button
                  key={expected}
                  small
                  label={pronunciation.practise(shown)}
                  onClick={() => onPractise(character)}
                >
                  {shown} · {formatNumber(Math.round(score))}
                </Button>
              );
            })}
          </div>
        </>
      )}
    </div>
  );
}

/** The fraction that was right, from attempt to attempt. */
function Course({ of: { course } }: { of: PartRecord }) {
  const shown = course.slice(-20);
  const points = shown
    .map((right, index) => `${(index / Math.max(1, shown.length - 1)) * WIDTH},${2 + (1 - right) * (HEIGHT - 4)}`)
    .join(' ');
  return (
    <svg class="course" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" preserveAspectRatio="none">
      <polyline points={shown.length === 1 ? `${points} ${WIDTH},${points.split(',')[1] ?? 0}` : points} />
    </svg>
  );
}
