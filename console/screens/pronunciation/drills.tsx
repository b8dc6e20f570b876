import { text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Card } from '#console/ui/parts.tsx';
import { DRILLS } from './exercises.ts';

/** Pairs of words to practise. */
export function Drills({ onPractise }: { onPractise: (text: string) => void }) {
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
              label={pronunciation.practise(words.map((word) => `${word.text} ${word.jyutping}`).join('、'))}
              onClick={() => onPractise(words.map((word) => word.text).join('、'))}
            >
              <span class="drill-words" lang="zh-HK">
                {words.map((word) => (
                  <ruby key={word.jyutping}>
                    {word.text}
                    <rt>{word.jyutping}</rt>
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
