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

export function Settings() {
  const { settings } = text();
  const usage = useLoaded((signal) => client().usage({ signal }));
  // The plans are 'refused' when the key lacks the scope `admin`.
  const plans = useLoaded(async (signal) =>
    isOwner.value ? client().accounts.plans({ signal }) : ('refused' as const),
  );
  return (
    <>
      <PageHead title={settings.title} />
      <div class="settings">
        <div class="stack">
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
          <Card title={settings.models}>
            <Models />
          </Card>
          <Service />
        </div>
        <div class="stack">
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
          {plans.value === null || plans.value === 'refused' ? null : (
            <Accounts plans={plans.value} ownId={usage.value?.account.id ?? ''} />
          )}
        </div>
      </div>
    </>
  );
}
