import { useEffect } from 'preact/hooks';
import { useLoaded } from '#console/core/loaded.ts';
import { client } from '#console/core/session.ts';
import { formatPercent, text } from '#console/core/text.ts';
import { Banner } from '#console/ui/parts.tsx';

const ASK_AGAIN_MS = 3_000;

/** A warning while only the built-in recognizer is there, and the progress of a better one. */
export function ModelBanner() {
  const health = useLoaded((signal) => client().health({ signal }));
  const { home } = text();
  const pull = health.value?.model_pull;
  const isPulling = pull !== undefined && pull.state !== 'installed' && pull.state !== 'failed';
  useEffect(() => {
    if (!isPulling) return;
    const timer = setInterval(health.reload, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isPulling]);
  const recognizers = health.value?.engines.filter(
    ({ ability, languages }) => ability === 'recognizer' && languages.includes('cantonese'),
  );
  const best = recognizers?.[0];
  if (best?.quality !== 'fallback') return null;
  return (
    <Banner>
      <strong>{home.fallbackTitle}</strong>
      <p>
        {isPulling ? (
          home.pulling(formatPercent(pull.total_bytes === 0 ? 0 : pull.done_bytes / pull.total_bytes))
        ) : (
          <>
            {home.fallbackText} <code>npm run models -- pull sense-voice-2024</code>
          </>
        )}
      </p>
    </Banner>
  );
}
