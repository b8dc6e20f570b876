import { useLoaded } from '#console/core/loaded.ts';
import { formatNumber, formatTime, text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Empty, Shown } from '#console/ui/parts.tsx';
import { blocksOf, isChanged, withRecognized, type Block } from './compare.ts';
import type { EditedSegment, Editor } from './editor.ts';
import { Sheet } from './sheet.tsx';

/** Blocks that are drawn; a transcript of hours may be changed all over. */
const SHOWN = 200;

/** Compares the transcript with what was recognized, and goes back to it in one place or in all. */
export function Recognized({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { recognized: messages } = text().transcript;
  const original = useLoaded((signal) => editor.recognized(signal));
  return (
    <Sheet title={messages.title} onClose={onClose}>
      <Shown of={original}>
        {(segments) => {
          const changed = blocksOf(segments, editor.content.value.segments).filter(isChanged);
          if (changed.length === 0) return <Empty icon="check">{messages.same}</Empty>;
          return (
            <>
              <div class="row">
                <p>{messages.count(formatNumber(changed.length))}</p>
                <span class="push">
                  <Button small icon="undo" onClick={() => editor.change({ segments }, 'recognized')}>
                    {messages.all}
                  </Button>
                </span>
              </div>
              <ol class="compared">
                {changed.slice(0, SHOWN).map((block) => (
                  <Compared key={startOf(block)} block={block} editor={editor} />
                ))}
              </ol>
            </>
          );
        }}
      </Shown>
    </Sheet>
  );
}

const startOf = ({ recognized, present }: Block) => Math.min(...[...recognized, ...present].map(({ start }) => start));
const textOf = (segments: readonly EditedSegment[]) => segments.map((segment) => segment.text).join(' / ');

function Compared({ block, editor }: { block: Block; editor: Editor }) {
  const { recognized: messages } = text().transcript;
  const time = formatTime(startOf(block));
  const takeBack = () =>
    editor.change({ segments: withRecognized(editor.content.value.segments, block) }, `recognized ${time}`);
  const [before, after] = [textOf(block.recognized), textOf(block.present)];
  return (
    <li>
      <span class="tabular muted">{time}</span>
      <p lang="zh-HK" dir="auto">
        <span class="visually-hidden">{messages.was}: </span>
        <del>{before === '' ? '—' : before}</del>
      </p>
      <p lang="zh-HK" dir="auto">
        <span class="visually-hidden">{messages.is}: </span>
        <ins>{after === '' ? '—' : after}</ins>
      </p>
      <Button small kind="quiet" icon="undo" label={messages.oneAt(time)} onClick={takeBack}>
        {messages.one}
      </Button>
    </li>
  );
}
