import type { Signal } from '@preact/signals';

/**
 * Rows this far beyond the visible part are finished too, so that scrolling meets finished rows.
 */
const MARGIN = '800px 0px';

const watched = new Map<Element, Signal<boolean>>();
let observer: IntersectionObserver | null = null;

/**
 * Sets `isNear` while the element is near the visible part of the page. Returns a function that
 * ends the watch.
 */
export function watchVisibility(element: Element, isNear: Signal<boolean>): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const signal = watched.get(target);
        if (signal !== undefined) signal.value = isIntersecting;
      }
    },
    { rootMargin: MARGIN },
  );
  watched.set(element, isNear);
  observer.observe(element);
  return () => {
    watched.delete(element);
    observer?.unobserve(element);
  };
}
