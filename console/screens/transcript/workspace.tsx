import { useComputed, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Peaks } from '#console/audio/peaks.ts';
import type { Player, Sound } from '#console/audio/player.ts';
import { saveFile } from '#console/core/save-file.ts';
import { text } from '#console/core/text.ts';
import { Button, Choices, IconButton } from '#console/ui/button.tsx';
import { FallbackBanner } from '#console/ui/model-banner.tsx';
import { Banner, Empty } from '#console/ui/parts.tsx';
import { About } from './about.tsx';
import { BesideChoice, type Beside } from './beside.tsx';
import { CorrectionNote } from './correction-note.tsx';
import { DoubtTools } from './doubt-tools.tsx';
import { nextDoubt } from './doubts.ts';
import type { Editor } from './editor.ts';
import { Export } from './export.tsx';
import { exportName } from './export-choices.ts';
import { FindReplace } from './find-replace.tsx';
import { Finder } from './finder.ts';
import { segmentAt } from './pieces.ts';
import { BACK_SECONDS, PlayerBar } from './player-bar.tsx';
import { Recognized } from './recognized.tsx';
import { SegmentList } from './segment-list.tsx';
import type { Mode } from './segment-row.tsx';
import { SegmentMenu } from './segment-menu.tsx';
import { focusText } from './segment-text.tsx';
import { Shortcuts } from './sheet.tsx';
import { SpeakerNames, speakerName } from './speakers.tsx';
import { Waveform } from './waveform.tsx';
import { useWrittenTexts, type WrittenTexts } from './written-texts.ts';

const STEP_SECONDS = 5;

type Window = 'about' | 'beside' | 'export' | 'shortcuts' | 'recognized';

/** A transcript that is read, heard and corrected. */
export function Workspace({
  id,
  seconds,
  editor,
  sound,
  peaks,
}: {
  id: string;
  /** The time that is shown first; null: the beginning. */
  seconds: number | null;
  editor: Editor;
  sound: Signal<Sound>;
  peaks: ReadonlySignal<Peaks | null>;
}) {
  const { transcript, after } = text();
  const mode = useSignal<Mode>('listen');
  const withReadings = useSignal(false);
  const beside = useSignal<Beside | null>(null);
  const opened = useSignal<Window | null>(null);
  const finder = useMemo(() => new Finder(editor), [editor]);
  const { segments } = editor.content.value;
  const player = playerOf(sound.value);
  const active = useComputed(() => {
    const playing = playerOf(sound.value);
    const { segments: all } = editor.content.value;
    return playing === null ? -1 : (all[segmentAt(all, playing.time.value + 0.01)]?.key ?? -1);
  });
  const written = useWrittenTexts(id, editor);
  const { sought, goTo } = useGoTo(editor, player);
  useEffect(() => {
    if (seconds !== null) goTo(seconds);
  }, [seconds]);
  const choose = (next: Mode) => {
    mode.value = next;
    if (next === 'listen') void editor.refreshWords();
  };
  const goToDoubt = (step: 1 | -1) => {
    const place = nextDoubt(editor.content.value.segments, editor.cursor, step);
    if (place === null) return;
    choose('edit');
    editor.cursor = { key: place.key, from: place.from };
    player?.seek(place.time);
    focusText(place.key, place.from, place.to);
  };
  useShortcuts({ editor, player, goToDoubt, showKeys: () => (opened.value = 'shortcuts') });
  return (
    <div class="workspace">
      <Head editor={editor} onOpen={(next) => (opened.value = next)} />
      {editor.saveState.value === 'conflict' ? <Conflict editor={editor} /> : null}
      {editor.saveState.value === 'deleted' ? <Deleted editor={editor} /> : null}
      {editor.notice === undefined ? null : <Banner>{transcript.notices[editor.notice]}</Banner>}
      {editor.isFallback.value ? <FallbackBanner /> : null}
      <div class={`transcript-tools ${mode.value}`}>
        <SoundPlace sound={sound.value} peaks={peaks} editor={editor} />
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
          <Button small pressed={beside.value !== null} onClick={() => (opened.value = 'beside')}>
            {after.beside}
          </Button>
          <SpeakerNames editor={editor} />
          <DoubtTools editor={editor} onGo={goToDoubt} />
        </div>
        {mode.value === 'edit' ? <FindReplace finder={finder} /> : null}
      </div>
      {segments.length === 0 ? <Empty icon="wave">{transcript.empty}</Empty> : null}
      <SegmentList
        segments={segments}
        mode={mode.value}
        withReadings={withReadings.value}
        beside={beside.value}
        active={active}
        sought={sought}
        editor={editor}
        finder={finder}
        player={player}
      />
      <CorrectionNote />
      {mode.value === 'edit' ? <SegmentMenu editor={editor} /> : null}
      <Opened id={id} editor={editor} written={written} goTo={goTo} beside={beside} opened={opened} />
    </div>
  );
}

/**
 * Goes to the segment at a time: shows and marks it, and moves the sound there, at once or when it
 * has been loaded. `sought` is the key of that segment; -1: none.
 */
function useGoTo(editor: Editor, player: Player | null): { sought: Signal<number>; goTo(seconds: number): void } {
  const sought = useSignal(-1);
  const waiting = useRef<number | null>(null);
  useEffect(() => {
    if (player === null || waiting.current === null) return;
    player.seek(waiting.current);
    waiting.current = null;
  }, [player]);
  return {
    sought,
    goTo(seconds) {
      const all = editor.content.value.segments;
      const key = all[segmentAt(all, seconds + 0.01)]?.key ?? -1;
      sought.value = key;
      if (player === null) waiting.current = seconds;
      else player.seek(seconds);
      const show = () => document.querySelector(`#row-${key}`)?.scrollIntoView({ block: 'center' });
      show();
      // Rows that were far away take their real heights once they are near.
      requestAnimationFrame(() => requestAnimationFrame(show));
    },
  };
}

type SoundPlaceProps = { sound: Sound; peaks: ReadonlySignal<Peaks | null>; editor: Editor };

/**
 * The player, or why there is none. It is a component of its own because Preact matches elements of
 * one type among siblings: a player in the place of a sentence would take over the element of the
 * tools below, and a name that is being typed there would lose its field.
 */
function SoundPlace({ sound, peaks, editor }: SoundPlaceProps) {
  if (typeof sound === 'string') {
    return (
      <p class="muted small-text" role="status">
        {text().transcript.withoutSound[sound]}
      </p>
    );
  }
  return (
    <div class="player">
      <Waveform peaks={peaks} player={sound} editor={editor} />
      <PlayerBar player={sound} duration={editor.duration} />
    </div>
  );
}

type OpenedProps = {
  id: string;
  editor: Editor;
  written: WrittenTexts;
  goTo: (seconds: number) => void;
  beside: Signal<Beside | null>;
  opened: Signal<Window | null>;
};

/** The window that is open above the transcript. */
function Opened({ id, editor, written, goTo, beside, opened }: OpenedProps) {
  const close = () => (opened.value = null);
  switch (opened.value) {
    case 'about':
      return <About written={written} title={editor.content.value.title} onGo={goTo} onClose={close} />;
    case 'beside':
      return <BesideChoice id={id} editor={editor} beside={beside} onClose={close} />;
    case 'export':
      return <Export id={id} editor={editor} onClose={close} />;
    case 'shortcuts':
      return <Shortcuts onClose={close} />;
    case 'recognized':
      return <Recognized editor={editor} onClose={close} />;
    case null:
      return null;
  }
}

/** The title, how saving goes, and what can be done with the whole transcript. */
function Head({ editor, onOpen }: { editor: Editor; onOpen: (opened: Window) => void }) {
  const { transcript, common, after } = text();
  const { title } = editor.content.value;
  return (
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
        <span data-keys>
          <IconButton icon="keyboard" label={transcript.shortcuts.title} onClick={() => onOpen('shortcuts')} />
        </span>
        <IconButton icon="history" label={transcript.recognized.title} onClick={() => onOpen('recognized')} />
        <Button onClick={() => onOpen('about')}>{after.about}</Button>
        <Button kind="primary" icon="download" onClick={() => onOpen('export')}>
          {transcript.export}
        </Button>
      </div>
    </div>
  );
}

function SaveStatus({ editor }: { editor: Editor }) {
  const state = editor.saveState.value;
  const kinds: Readonly<Record<string, string>> = { saved: 'good', failed: 'bad', conflict: 'bad', deleted: 'bad' };
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

/** Says that the transcript is gone, and hands out what this page still has of it. */
function Deleted({ editor }: { editor: Editor }) {
  const { transcript, common } = text();
  const save = () => {
    const { segments, speakers, title } = editor.content.value;
    const lines = segments.map(({ speaker, text: line }) =>
      speaker === null ? line : `${speakerName(speaker, speakers)}: ${line}`,
    );
    saveFile(`${lines.join('\n')}\n`, exportName(title === '' ? common.untitled : title, null, 'txt'));
  };
  return (
    <Banner kind="bad">
      <p>{transcript.deletedElsewhere}</p>
      <Button small icon="download" onClick={save}>
        {common.download} (TXT)
      </Button>
    </Banner>
  );
}

const playerOf = (sound: Sound): Player | null => (typeof sound === 'string' ? null : sound);

type Actions = { editor: Editor; player: Player | null; goToDoubt: (step: 1 | -1) => void; showKeys: () => void };

/**
 * The keys of the page, as the sheet of shortcuts lists them. Those with Ctrl, ⌘ or Alt work while
 * people type, the others elsewhere.
 */
function useShortcuts(actions: Actions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const action = event.isComposing ? undefined : actionOf(event, latest.current);
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

function actionOf(event: KeyboardEvent, { editor, player, goToDoubt, showKeys }: Actions): (() => void) | undefined {
  const { key, code, target, altKey, shiftKey } = event;
  const withControl = event.ctrlKey || event.metaKey;
  const jump = (seconds: number) => (player === null ? undefined : () => player.seek(player.time.value + seconds));
  const isTyping = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  const isPressed = target instanceof HTMLElement && target.closest('button, a, dialog') !== null;
  if (withControl && key.toLowerCase() === 'z') return shiftKey ? editor.redo : editor.undo;
  if (withControl && key === 'Enter') return player?.toggle;
  // With Alt, some keyboards type other characters, so the place of the key counts.
  if (altKey && code === 'KeyN') return () => goToDoubt(shiftKey ? -1 : 1);
  if (altKey && code === 'Comma') return jump(-BACK_SECONDS);
  if (withControl || altKey || isTyping || (target instanceof HTMLElement && target.closest('dialog') !== null)) {
    return undefined;
  }
  if (key === '?') return showKeys;
  if (isPressed) return undefined;
  if (key === ' ') return player?.toggle;
  if (key === 'ArrowLeft') return jump(-STEP_SECONDS);
  return key === 'ArrowRight' ? jump(STEP_SECONDS) : undefined;
}
