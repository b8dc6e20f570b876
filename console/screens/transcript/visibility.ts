import type { Signal } from '@preact/signals';

/** Beyond the visible part, so that scrolling meets finished rows. */
const MARGIN = '800px 0px';

const watched = new Map<Element, Signal<boolean>>();
let observer: IntersectionObserver | null = null;

/** Sets `isNear` while the element is near the visible part of the page. Returns what ends it. */
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
