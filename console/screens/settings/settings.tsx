import { useEffect } from 'preact/hooks';
import { addressOf } from '#console/core/router.ts';
import type { ScreenProps } from '#console/screens/screens.ts';
import { useLoaded } from '#console/core/loaded.ts';
import { client, isOwner } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { Card, PageHead, Shown } from '#console/ui/parts.tsx';
import { Quotas } from '#console/ui/quotas.tsx';
import { Accounts } from './accounts.tsx';
import { DailyUse } from './daily-use.tsx';
import { Keys } from './keys.tsx';
import { Models } from './models.tsx';
import { Service } from './service.tsx';
import './settings.css';

type Section = 'use' | 'models' | 'service' | 'keys' | 'accounts';

/** The address `#/settings/keys` shows the part with the keys at once. */
export function Settings({ id }: ScreenProps) {
  const { settings } = text();
  const usage = useLoaded((signal) => client().usage({ signal }));
  // The plans are 'refused' when the key lacks the scope `admin`.
  const plans = useLoaded(async (signal) =>
    isOwner.value ? client().accounts.plans({ signal }) : ('refused' as const),
  );
  const isFull = plans.value !== null && plans.value !== 'refused';
  const sections: Section[] = ['use', 'models', 'service', 'keys', ...(isFull ? (['accounts'] as const) : [])];
  useEffect(() => {
    if (id !== null) document.querySelector(`#part-${CSS.escape(id)}`)?.scrollIntoView();
  }, [id, plans.isLoading]);
  return (
    <>
      <PageHead title={settings.title} />
      <div class="row parts" role="group" aria-label={settings.sections}>
        {sections.map((section) => (
          <a
            key={section}
            class="button small"
            href={addressOf('settings', section)}
            onClick={(event) => {
              event.preventDefault();
              document.querySelector(`#part-${section}`)?.scrollIntoView();
            }}
          >
            {settings[section]}
          </a>
        ))}
      </div>
      <div class="settings">
        <div class="stack">
          <div id="part-use">
            <Card title={settings.use}>
              <Shown of={usage}>
                {(value) => (
                  <div class="stack">
                    <Quotas of={value} />
                    <DailyUse />
                  </div>
                )}
              </Shown>
            </Card>
          </div>
          <div id="part-models">
            <Card title={settings.models}>
              <Models />
            </Card>
          </div>
          <div id="part-service">
            <Service />
          </div>
        </div>
        <div class="stack">
          <div id="part-keys">
            <Card title={settings.keys}>
              <Shown of={plans}>
                {(found) =>
                  found === 'refused' ? (
                    <p class="muted">{settings.askOwner}</p>
                  ) : usage.value === null ? null : (
                    <Keys accountId={usage.value.account.id} />
                  )
                }
              </Shown>
            </Card>
          </div>
          {plans.value === null || plans.value === 'refused' ? null : (
            <div id="part-accounts">
              <Accounts plans={plans.value} ownId={usage.value?.account.id ?? ''} />
            </div>
          )}
        </div>
      </div>
    </>
  );
}
