import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ModelPull } from '@jyutsing/client';
import { useLoaded, type Loaded } from '#console/core/loaded.ts';
import { notifyFailure } from '#console/core/notices.ts';
import { client, isOwner } from '#console/core/session.ts';
import { modelTitleOf } from '#console/core/shipped.ts';
import { formatBytes, formatPercent, text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Explained } from '#console/ui/failure.tsx';
import { SelectField } from '#console/ui/field.tsx';
import { Banner, Progress } from '#console/ui/parts.tsx';

const ASK_AGAIN_MS = 1_000;

/**
 * Installs more models. Shows nothing to users who are not owners, and where the service forbids
 * it.
 */
export function PullModels({ onInstalled }: { onInstalled: () => void }) {
  const { settings } = text();
  const offered = useLoaded((signal) => (isOwner.value ? client().models.pullable({ signal }) : Promise.resolve([])));
  const pull = useLoaded((signal) =>
    client()
      .health({ signal })
      .then((health) => health.model_pull ?? null),
  );
  const chosen = useSignal('');
  const finish = () => {
    offered.reload();
    onInstalled();
  };
  const state = useProgress(pull, finish);
  const absent = (offered.value ?? []).filter((model) => model.state !== 'installed');
  const model = absent.find(({ name }) => name === chosen.value) ?? absent[0];
  if (model === undefined) return state === null ? null : <PullState of={state} />;
  const start = () =>
    client()
      .models.pull(model.name)
      .then(() => pull.reload(), notifyFailure);
  return (
    <div class="stack">
      <SelectField
        label={settings.pullModel}
        hint={modelTitleOf(model)}
        value={model.name}
        options={absent.map((model) => ({
          value: model.name,
          label: `${model.name} · ${formatBytes(model.size_bytes)} · ${model.licence}`,
        }))}
        onChoose={(next) => (chosen.value = next)}
      />
      <Button disabled={isRunning(state)} onClick={() => void start()}>
        {settings.pull}
      </Button>
      {state === null ? null : <PullState of={state} />}
    </div>
  );
}

function PullState({ of: { name, state, message, done_bytes: done, total_bytes: total } }: { of: ModelPull }) {
  const { settings } = text();
  if (state === 'failed') {
    return (
      <Banner kind="bad">
        <Explained sentence={settings.pullFailed(name)} detail={message ?? null} />
      </Banner>
    );
  }
  if (state === 'installed') return <p role="status">{settings.pulled(name)}</p>;
  const fraction = total === 0 ? null : done / total;
  return (
    <div role="status">
      <p>{settings.pulling(name, formatPercent(fraction ?? 0))}</p>
      <Progress label={settings.pullModel} fraction={state === 'downloading' ? fraction : null} />
    </div>
  );
}

/** Asks again while a model is pulled. */
function useProgress(pull: Loaded<ModelPull | null>, onEnd: () => void): ModelPull | null {
  const state = pull.value;
  const isPulling = isRunning(state);
  useEffect(() => {
    if (!isPulling) return;
    const timer = setInterval(pull.reload, ASK_AGAIN_MS);
    return () => {
      clearInterval(timer);
      onEnd();
    };
  }, [isPulling]);
  return state;
}

const isRunning = (pull: ModelPull | null): boolean =>
  pull !== null && pull.state !== 'installed' && pull.state !== 'failed';
