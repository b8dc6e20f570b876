import { useEffect } from 'preact/hooks';

/** Loads something again from time to time while the page is in view, and when it comes back. */
export function useRefresh(reload: () => void, everyMs: number): void {
  useEffect(() => {
    const reloadInView = () => {
      if (document.visibilityState === 'visible') reload();
    };
    const timer = setInterval(reloadInView, everyMs);
    document.addEventListener('visibilitychange', reloadInView);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', reloadInView);
    };
  }, [everyMs]);
}
