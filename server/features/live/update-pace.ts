/** The first text of a piece is awaited; later updates may wait for other sessions. */
const DUE_IN_MS = { first: 100, later: 600 };
/** Until there is stable text, and then: more would cost time that others need. */
const UPDATE_EVERY_MS = { first: 80, later: 320 };
/** Sound without text after this long is not the beginning of a sentence. */
const FIRST_TEXT_WITHIN_MS = 1_500;
/**
 * A recognizer that takes long, because it is elsewhere or many sessions take turns, is asked again
 * after so many times that.
 */
const UPDATE_PAUSE = 1.5;

/** How often the open piece of a segment is recognized again, and how soon. */
type UpdatePace = {
  /** The first `soundMs` of the piece were recognized; that took `tookMs` with all waiting. */
  recognized(soundMs: number, tookMs: number): void;
  /** There is stable text. */
  shown(): void;
  dueInMs(): number;
  /** New sound after which an update is useful. */
  everyMs(): number;
};

export function createUpdatePace(): UpdatePace {
  let soundMs = 0;
  let tookMs = 0;
  let isShown = false;
  const next = () => (!isShown && soundMs < FIRST_TEXT_WITHIN_MS ? 'first' : 'later');
  return {
    recognized(sound, took) {
      soundMs = sound;
      tookMs = took;
    },
    shown: () => void (isShown = true),
    dueInMs: () => DUE_IN_MS[next()],
    everyMs: () => Math.max(UPDATE_EVERY_MS[next()], UPDATE_PAUSE * tookMs),
  };
}
