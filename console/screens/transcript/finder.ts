import { computed, signal } from '@preact/signals';
import type { EditedSegment, Editor } from './editor.ts';

/** A place in the text of a segment where the searched text stands, in UTF-16 units. */
export type Match = { key: number; from: number; to: number };

/** Finds a text in all segments, goes from one place to the next, and replaces it. */
export class Finder {
  readonly query = signal('');
  readonly replacement = signal('');
  readonly matches = computed(() => {
    const query = this.query.value;
    return query === '' ? [] : this.#editor.content.value.segments.flatMap((segment) => matchesIn(segment, query));
  });
  /** The place that was gone to last; null before. */
  readonly current = signal<Match | null>(null);
  /** The number of the present place, from 1 on; 0 while there is none. */
  readonly number = computed(() => {
    const { value } = this.current;
    if (value === null) return 0;
    return this.matches.value.findIndex(({ key, from }) => key === value.key && from === value.from) + 1;
  });
  readonly #editor: Editor;

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  /** Goes to the next place, or back with -1, and on at the other end; null when there is none. */
  go(step: 1 | -1): Match | null {
    const all = this.matches.value;
    const { value: at } = this.number;
    const from = at === 0 ? (step === 1 ? -1 : 0) : at - 1;
    this.current.value = all[(from + step + all.length) % all.length] ?? null;
    return this.current.value;
  }

  /** Replaces the present place and goes to the next one. */
  replaceOne(): Match | null {
    const { value: match } = this.current;
    if (match === null || this.number.value === 0) return this.go(1);
    const { segments } = this.#editor.content.value;
    const text = segments.find(({ key }) => key === match.key)?.text ?? '';
    const replaced = `${text.slice(0, match.from)}${this.replacement.value}${text.slice(match.to)}`;
    // Each replacement is a step of undo of its own.
    this.#editor.changeSegment(match.key, { text: replaced }, `replace ${match.from} in`);
    const after = match.from + this.replacement.value.length;
    const order = new Map(segments.map(({ key }, index) => [key, index]));
    const place = order.get(match.key) ?? 0;
    const rest = this.matches.value.find(({ key, from }) => {
      const index = order.get(key) ?? 0;
      return index > place || (index === place && from >= after);
    });
    this.current.value = rest ?? this.matches.value[0] ?? null;
    return this.current.value;
  }

  /** Replaces every place, as one step of undo. Returns how many there were. */
  replaceAll(): number {
    const count = this.matches.value.length;
    const [query, replacement] = [this.query.value, this.replacement.value];
    if (count === 0) return 0;
    const segments = this.#editor.content.value.segments.map((segment) =>
      segment.text.includes(query) ? { ...segment, text: segment.text.replaceAll(query, () => replacement) } : segment,
    );
    this.#editor.change({ segments }, `replace ${query}`);
    this.current.value = null;
    return count;
  }
}

export function matchesIn({ key, text }: Pick<EditedSegment, 'key' | 'text'>, query: string): Match[] {
  const matches: Match[] = [];
  for (let from = text.indexOf(query); from >= 0; from = text.indexOf(query, from + query.length)) {
    matches.push({ key, from, to: from + query.length });
  }
  return matches;
}
