import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Everything that writes and checks summaries. It is large, so it is loaded at the first call, each
 * part in a turn of the event loop of its own: all at once take 80 ms, in which no other request is
 * answered.
 */
export function openSummaries() {
  return (opened ??= open());
}

let opened: ReturnType<typeof open> | undefined;

async function open() {
  const languages = await import('./languages.ts');
  await nextTurn();
  const { openTraditional, toHongKong, toSimplified } = await import('#text/script/convert-script.ts');
  await openTraditional();
  // The first conversion opens the dictionaries of its direction.
  for (const convert of [toHongKong, toSimplified]) {
    await nextTurn();
    convert('國国');
  }
  const { openCharacterSets } = await import('./check-script.ts');
  for (const openSet of openCharacterSets) {
    await nextTurn();
    openSet();
  }
  const checks = await import('./check-language.ts');
  await nextTurn();
  const grounding = await import('./check-grounding.ts');
  await nextTurn();
  const writing = await import('./summarize-text.ts');
  await nextTurn();
  return { ...languages, ...checks, ...grounding, ...writing };
}
