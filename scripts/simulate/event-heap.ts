/** Events by their time; those of one time come in the order in which they were added. */
export type EventHeap<Event> = {
  add(atS: number, event: Event): void;
  /** Time of the next event; Infinity when there is none. */
  nextS(): number;
  /** Removes the next event and returns it; only while there is one. */
  take(): Event;
};

type Entry<Event> = { atS: number; order: number; event: Event };

/** A binary heap. */
export function createEventHeap<Event>(): EventHeap<Event> {
  const heap: Entry<Event>[] = [];
  let added = 0;
  const isBefore = (a: Entry<Event>, b: Entry<Event>) => a.atS < b.atS || (a.atS === b.atS && a.order < b.order);
  return {
    add(atS, event) {
      const entry = { atS, order: added++, event };
      let at = heap.length;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isBefore(entry, heap[parent]!)) break;
        heap[at] = heap[parent]!;
        at = parent;
      }
      heap[at] = entry;
    },
    nextS: () => heap[0]?.atS ?? Infinity,
    take() {
      const first = heap[0]!;
      const last = heap.pop()!;
      if (heap.length === 0) return first.event;
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
        if (child >= heap.length || !isBefore(heap[child]!, last)) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = last;
      return first.event;
    },
  };
}
