import { useComputed, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Peaks } from '#console/audio/peaks.ts';
import type { Player, Sound } from '#console/audio/player.ts';
import { text } from '#console/core/text.ts';
import { Button, Choices, IconButton } from '#console/ui/button.tsx';
import { FallbackBanner } from '#console/ui/model-banner.tsx';
import { Banner, Empty } from '#console/ui/parts.tsx';
import { CorrectionNote } from './correction-note.tsx';
import type { Editor } from './editor.ts';
import { Export } from './export.tsx';
import { FindReplace } from './find-replace.tsx';
import { segmentAt } from './pieces.ts';
import { PlayerBar } from './player-bar.tsx';
import { SegmentList } from './segment-list.tsx';
import type { Mode } from './segment-row.tsx';
import { SpeakerNames } from './speakers.tsx';
import { Waveform } from './waveform.tsx';

const STEP_SECONDS = 5;

/** A transcript that is read, heard and corrected. */
export function Workspace({
  id,
  editor,
  sound,
  peaks,
}: {
  id: string;
  editor: Editor;
  sound: Signal<Sound>;
  peaks: ReadonlySignal<Peaks | null>;
}) {
  const { transcript, common } = text();
  const mode = useSignal<Mode>('listen');
  const withReadings = useSignal(false);
  const isExporting = useSignal(false);
  const { duration } = editor;
  const { segments, title } = editor.content.value;
  const player = playerOf(sound.value);
  const active = useComputed(() => {
    const playing = playerOf(sound.value);
    return playing === null ? -1 : segmentAt(editor.content.value.segments, playing.time.value + 0.01);
  });
  useShortcuts(editor, player);
  const choose = (next: Mode) => {
    mode.value = next;
    if (next === 'listen') void editor.refreshWords();
  };
  return (
    <div class="workspace">
      <div class="transcript-head">
        <h1 class="visually-hidden">{title === '' ? common.untitled : title}</h1>
        <input
          class="title-input"
          aria-label={transcript.title}
          dir="auto"
          maxLength={200}
          placeholder={common.untitled}
          value={title}
          onInput={({ currentTarget }) => editor.change({ title: currentTarget.value }, 'title')}
        />
        <SaveStatus editor={editor} />
        <div class="row push">
          <IconButton icon="undo" label={transcript.undo} disabled={!editor.canUndo.value} onClick={editor.undo} />
          <IconButton icon="redo" label={transcript.redo} disabled={!editor.canRedo.value} onClick={editor.redo} />
          <Button kind="primary" icon="download" onClick={() => (isExporting.value = true)}>
            {transcript.export}
          </Button>
        </div>
      </div>
      {editor.saveState.value === 'conflict' ? <Conflict editor={editor} /> : null}
      {editor.notice === undefined ? null : <Banner>{transcript.notices[editor.notice]}</Banner>}
      {editor.isFallback.value ? <FallbackBanner /> : null}
      <div class="transcript-tools">
        {typeof sound.value === 'string' ? (
          <p class="muted small-text" role="status">
            {transcript.withoutSound[sound.value]}
          </p>
        ) : (
          <>
            <Waveform peaks={peaks} player={sound.value} editor={editor} />
            <PlayerBar player={sound.value} duration={duration} />
          </>
        )}
        <div class="row">
          <Choices
            label={transcript.mode}
            options={[
              { value: 'listen', label: transcript.read },
              { value: 'edit', label: transcript.edit },
            ]}
            value={mode.value}
            onChoose={choose}
          />
          <Button
            small
            pressed={withReadings.value}
            disabled={mode.value === 'edit'}
            onClick={() => (withReadings.value = !withReadings.value)}
          >
            {transcript.readings}
          </Button>
          <SpeakerNames editor={editor} />
        </div>
        {mode.value === 'edit' ? <FindReplace editor={editor} /> : null}
      </div>
      {segments.length === 0 ? <Empty icon="wave">{transcript.empty}</Empty> : null}
      <SegmentList
        segments={segments}
        mode={mode.value}
        withReadings={withReadings.value}
        active={active}
        editor={editor}
        player={player}
      />
      <CorrectionNote />
      {isExporting.value ? <Export id={id} editor={editor} onClose={() => (isExporting.value = false)} /> : null}
    </div>
  );
}

function SaveStatus({ editor }: { editor: Editor }) {
  const state = editor.saveState.value;
  const kinds: Readonly<Record<string, string>> = { saved: 'good', failed: 'bad', conflict: 'bad' };
  return (
    <span class={`badge ${kinds[state] ?? 'busy'}`} role="status">
      {text().transcript.saveState[state]}
    </span>
  );
}

function Conflict({ editor }: { editor: Editor }) {
  const { transcript } = text();
  return (
    <Banner kind="bad">
      <p>{transcript.conflict}</p>
      <div class="row">
        <Button small onClick={() => void editor.takeTheirs()}>
          {transcript.takeTheirs}
        </Button>
        <Button small onClick={() => void editor.keepMine()}>
          {transcript.keepMine}
        </Button>
      </div>
    </Banner>
  );
}

const playerOf = (sound: Sound): Player | null => (typeof sound === 'string' ? null : sound);

/** Space plays and arrows jump, except where people type; Ctrl or ⌘ with Enter plays anywhere. */
function useShortcuts(editor: Editor, player: Player | null): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, target } = event;
      const withControl = event.ctrlKey || event.metaKey;
      const isTyping = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      const isPressed = target instanceof HTMLElement && target.closest('button, a, dialog') !== null;
      const does = () => {
        if (withControl && key.toLowerCase() === 'z') return event.shiftKey ? editor.redo : editor.undo;
        if (withControl && key === 'Enter') return player?.toggle;
        if (withControl || isTyping || isPressed || player === null) return undefined;
        if (key === ' ') return player.toggle;
        const step = { ArrowLeft: -STEP_SECONDS, ArrowRight: STEP_SECONDS }[key];
        return step === undefined ? undefined : () => player.seek(player.time.value + step);
      };
      const action = does();
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [editor, player]);
}
