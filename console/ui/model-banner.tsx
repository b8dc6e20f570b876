import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Health } from '@jyutsing/client';
import { useLoaded, type Loaded } from '#console/core/loaded.ts';
import { notifyFailure } from '#console/core/notices.ts';
import { client, isOwner } from '#console/core/session.ts';
import { formatBytes, formatPercent, text } from '#console/core/text.ts';
import { Button } from './button.tsx';
import { Banner } from './parts.tsx';

const ASK_AGAIN_MS = 3_000;
const RECOMMENDED = 'sense-voice-2024';

type Heard = 'cantonese' | 'mandarin' | 'english';

/**
 * A warning while only the built-in recognizer hears a language, with what can be done about it.
 */
export function ModelBanner({ language = 'cantonese' }: { language?: Heard | 'auto' }) {
  const health = useLoaded((signal) => client().health({ signal }));
  const { home } = text();
  const spoken = language === 'auto' ? 'cantonese' : language;
  const best = health.value?.engines.find(
    ({ ability, languages }) => ability === 'recognizer' && languages.includes(spoken),
  );
  if (best?.quality !== 'fallback') return null;
  return (
    <Banner>
      <strong>{home.fallbackTitle}</strong>
      <p>{home.fallbackText}</p>
      <BetterModel health={health} />
    </Banner>
  );
}

/** A warning at a text that the built-in recognizer made. */
export function FallbackBanner() {
  const health = useLoaded((signal) => client().health({ signal }));
  const { home } = text();
  return (
    <Banner>
      <details class="folded" open={isWide()}>
        <summary>{home.fallbackMadeIt}</summary>
        <p>{home.fallbackText}</p>
        <BetterModel health={health} />
      </details>
    </Banner>
  );
}

/** On a phone the details would push the text out of view. */
const isWide = () => matchMedia('(min-width: 40rem)').matches;

/** The way to a better recognizer: its progress, a button for owners, or whom to ask. */
function BetterModel({ health }: { health: Loaded<Health> }) {
  const { home } = text();
  const isStarting = useSignal(false);
  const offered = useLoaded(async (signal) =>
    isOwner.value
      ? (
          await client()
            .models.pullable({ signal })
            .catch(() => [])
        ).find(isRecommended)
      : undefined,
  );
  const pull = health.value?.model_pull;
  const isPulling = pull !== undefined && pull.state !== 'installed' && pull.state !== 'failed';
  useEffect(() => {
    if (!isPulling) return;
    const timer = setInterval(health.reload, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isPulling]);
  if (isPulling) {
    return <p>{home.pulling(formatPercent(pull.total_bytes === 0 ? 0 : pull.done_bytes / pull.total_bytes))}</p>;
  }
  if (offered.isLoading || health.value === null) return null;
  const { value: model } = offered;
  if (model === undefined || model === null) return <p>{isOwner.value ? home.fallbackByHand : home.fallbackAsk}</p>;
  if (model.state === 'installed') return <p>{home.fallbackInstalled}</p>;
  const install = async () => {
    isStarting.value = true;
    await client().models.pull(RECOMMENDED).then(health.reload, notifyFailure);
    isStarting.value = false;
  };
  return (
    <Button small icon="download" disabled={isStarting.value} onClick={() => void install()}>
      {home.fallbackInstall(formatBytes(model.size_bytes))}
    </Button>
  );
}

const isRecommended = ({ name }: { name: string }) => name === RECOMMENDED;
