import type { LiveOptions } from '@jyutsing/contracts/live-recognition';
import type { Language } from '@jyutsing/contracts/transcript';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { LiveSegmenter, LiveSegmenterEvent } from '@jyutsing/audio/speech/live-segmenter';
import type { LiveContext } from './live-context.ts';
import { createOpenSegment, type OpenSegment } from './open-segment.ts';
import type { SpeakerWork } from './speaker-work.ts';

/** Less speech at the beginning of a piece gives no text. */
const FIRST_UPDATE_MS = 160;
/** Pieces that may wait for their recognition before the session takes more sound. */
const MAX_WAITING_PIECES = 4;

/** The recognition of a session's segments, one step after the other. */
type SegmentWork = {
  handle(events: readonly LiveSegmenterEvent[]): void;
  /** Recognizes the open piece again where there is enough new sound. */
  update(): void;
  /** Applies to the segments that begin from now on. */
  configure(changes: Partial<LiveOptions>): void;
  /** Gives up the open segment. */
  drop(): void;
  /**
   * Waits until at most MAX_WAITING_PIECES pieces wait; yields to the event loop in any case.
   * Throws what failed.
   */
  waitForRoom(): Promise<void>;
  /** Waits for all work. Throws what failed. */
  done(): Promise<void>;
};

export function createSegmentWork(
  segmenter: LiveSegmenter,
  initial: LiveOptions,
  context: LiveContext & { speakers: Pick<SpeakerWork, 'find' | 'turns'> },
  signal: AbortSignal,
): SegmentWork {
  let options = initial;
  let nextSegment = 0;
  let open: OpenSegment | null = null;
  let lastLanguage: Language | null = null;
  let working = Promise.resolve();
  let waitingPieces = 0;
  let isUpdateWaiting = false;
  let updatedMs = 0;

  const addWork = (work: () => Promise<void>) => {
    working = working.then(work);
    // Awaited by `done`; until then a failure must not count as unhandled.
    working.catch(() => {});
  };
  const begin = (startMs: number, isSpoken: boolean): OpenSegment => {
    const settings = { segment: nextSegment, startMs, isSpoken, options, assumedLanguage: lastLanguage };
    nextSegment += 1;
    open = createOpenSegment(settings, context, signal);
    return open;
  };

  const handle = (event: LiveSegmenterEvent) => {
    if (event.type === 'segment-start') {
      const { segment, isSpoken } = begin(event.startMs, options.turnDetection !== null);
      if (isSpoken) context.emit({ ...event, type: 'speech-start', segment });
      return;
    }
    const openSegment = open ?? begin(segmenter.receivedMs(), false);
    if (event.type === 'speech-end') {
      if (openSegment.isSpoken) context.emit({ ...event, type: 'speech-end', segment: openSegment.segment });
    } else if (event.type === 'piece') {
      waitingPieces += 1;
      openSegment.stopUpdate();
      addWork(async () => {
        await Promise.all([openSegment.finishPiece(event.speech), context.speakers.find()]);
        waitingPieces -= 1;
      });
    } else {
      open = null;
      addWork(async () => {
        signal.throwIfAborted();
        if (openSegment.isDropped()) return;
        lastLanguage = openSegment.language();
        context.emit(await openSegment.result(event.endMs, event.reason, context.speakers.turns()));
      });
    }
  };

  /**
   * Takes the speech to recognize when it is the turn of the update; by then the segment may have
   * ended.
   */
  const takeSpeech = (segment: OpenSegment) => {
    const speech = open === segment && waitingPieces === 0 ? segmenter.openPiece() : null;
    if (speech === null || speech.speechEndMs - speech.speechStartMs < FIRST_UPDATE_MS) return null;
    updatedMs = segmenter.receivedMs();
    return speech;
  };
  /** A failure shows when the piece is complete. */
  const updateOpen = async (segment: OpenSegment) => {
    const delta = await segment.update(() => takeSpeech(segment)).catch(() => null);
    isUpdateWaiting = false;
    if (delta !== null && !segment.isDropped()) context.emit(delta);
  };

  return {
    handle: (events) => events.forEach(handle),
    update() {
      const segment = open;
      if (segment === null || isUpdateWaiting || waitingPieces > 0) return;
      if (segmenter.receivedMs() - updatedMs < segment.updateEveryMs()) return;
      isUpdateWaiting = true;
      addWork(() => updateOpen(segment));
    },
    configure: (changes) => void (options = { ...options, ...changes }),
    drop() {
      open?.drop();
      if (open !== null) context.emit({ type: 'segment-dropped', segment: open.segment });
      open = null;
    },
    // Other sessions of the process take their sound in between.
    waitForRoom: async () => (waitingPieces > MAX_WAITING_PIECES ? working : yieldToEventLoop()),
    done: () => working,
  };
}
