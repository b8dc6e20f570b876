import type { RefObject } from 'preact';
import { isSsml } from '#console/core/characters.ts';
import { text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';

type Element = { name: 'pause' | 'reading' | 'slow' | 'digits'; before: string; after: string; isPlain?: boolean };

/** Elements of SSML; a pause may stand in a plain text too. */
const ELEMENTS: readonly Element[] = [
  { name: 'pause', before: '<break time="1s"/>', after: '', isPlain: true },
  { name: 'reading', before: '<phoneme alphabet="jyutping" ph="hong4">', after: '</phoneme>' },
  { name: 'slow', before: '<prosody rate="slow">', after: '</prosody>' },
  { name: 'digits', before: '<say-as interpret-as="digits">', after: '</say-as>' },
];

type MarkupProps = { field: RefObject<HTMLTextAreaElement | null>; onType: (typed: string) => void };

/** Shows what SSML can do, and puts its elements around the selected text. */
export function Markup({ field, onType }: MarkupProps) {
  const { speak } = text();
  const insert = ({ before, after, isPlain = false }: Element) => {
    const { current } = field;
    if (current === null) return;
    const { value, selectionStart: from, selectionEnd: to } = current;
    const isWrapped = isPlain || isSsml(value);
    const write = (part: string) => (isWrapped ? part : escaped(part));
    const marked = `${write(value.slice(0, from))}${before}${write(value.slice(from, to))}${after}${write(value.slice(to))}`;
    onType(isWrapped ? marked : `<speak>${marked}</speak>`);
    current.focus();
    const at = (isWrapped ? 0 : '<speak>'.length) + write(value.slice(0, from)).length + before.length;
    // The field has the new text when it was drawn again.
    requestAnimationFrame(() => current.setSelectionRange(at, at + write(value.slice(from, to)).length));
  };
  return (
    <details class="markup small-text">
      <summary>{speak.markup.title}</summary>
      <p class="muted">
        {speak.markup.hint} {speak.markup.chapters}
      </p>
      <ul>
        {ELEMENTS.map((element) => (
          <li key={element.name}>
            <span>
              {speak.markup[element.name]}
              <code>
                {element.before}
                {element.after === '' ? '' : `…${element.after}`}
              </code>
            </span>
            <Button
              small
              label={`${speak.markup.insert}: ${speak.markup[element.name]}`}
              onClick={() => insert(element)}
            >
              {speak.markup.insert}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}

const escaped = (plain: string) => plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
