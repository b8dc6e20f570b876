import { useSignal } from '@preact/signals';
import type { Account, Plan } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { client } from '#console/core/session.ts';
import { formatAmount, formatDate, text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Field, SelectField, Switch } from '#console/ui/field.tsx';
import { Card, Shown } from '#console/ui/parts.tsx';
import { Quotas } from '#console/ui/quotas.tsx';
import { Keys } from './keys.tsx';

/** All accounts with their plans, keys and use, for the owner of the service. */
export function Accounts({ plans, ownId }: { plans: readonly Plan[]; ownId: string }) {
  const { settings } = text();
  const accounts = useLoaded((signal) => client().accounts.list({ signal }));
  return (
    <Card title={settings.accounts}>
      <div class="stack">
        <Shown of={accounts}>
          {(all) => (
            <ul class="accounts">
              {all.map((account) => (
                <li key={account.id}>
                  <Entry account={account} plans={plans} isOwn={account.id === ownId} onChange={accounts.reload} />
                </li>
              ))}
            </ul>
          )}
        </Shown>
        <NewAccount plans={plans} onMade={accounts.reload} />
      </div>
    </Card>
  );
}

type EntryProps = { account: Account; plans: readonly Plan[]; isOwn: boolean; onChange: () => void };

function Entry({ account, plans, isOwn, onChange }: EntryProps) {
  const { settings } = text();
  const isOpen = useSignal(false);
  const { id, name, plan, blocked, created_at: createdAt } = account;
  const change = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      notify(done);
    } catch (failure) {
      notifyFailure(failure);
    }
    onChange();
  };
  return (
    <details open={isOpen.value} onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>
        <strong dir="auto">{name}</strong>
        <span class="muted small-text">
          {plan} · {formatDate(createdAt)}
        </span>
        {blocked ? <span class="badge bad">{settings.blocked}</span> : null}
      </summary>
      {isOpen.value ? (
        <div class="stack account">
          <AccountUse id={id} />
          <SelectField
            label={settings.plan}
            value={plan}
            options={plans.map((plan) => ({ value: plan.name, label: planText(plan) }))}
            onChoose={(chosen) => void change(() => client().accounts.update(id, { plan: chosen }), settings.saved)}
          />
          {isOwn ? null : (
            <>
              <Switch
                label={settings.block}
                hint={settings.blockHint}
                checked={blocked}
                onChange={(checked) =>
                  void change(() => client().accounts.update(id, { blocked: checked }), settings.saved)
                }
              />
              <h3>{settings.keys}</h3>
              <Keys accountId={id} />
              <div class="row">
                <Button
                  kind="danger"
                  icon="trash"
                  onClick={() => {
                    if (!confirm(settings.deleteAccountQuestion(name))) return;
                    void change(() => client().accounts.delete(id), settings.deleted);
                  }}
                >
                  {settings.deleteAccount}
                </Button>
              </div>
            </>
          )}
        </div>
      ) : null}
    </details>
  );
}

function AccountUse({ id }: { id: string }) {
  const usage = useLoaded((signal) => client().accounts.usage(id, { signal }));
  return <Shown of={usage}>{(value) => <Quotas of={value} />}</Shown>;
}

function NewAccount({ plans, onMade }: { plans: readonly Plan[]; onMade: () => void }) {
  const { settings } = text();
  const name = useSignal('');
  const plan = useSignal(plans[0]?.name ?? '');
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      await client().accounts.create({ name: name.value.trim(), plan: plan.value });
      notify(settings.accountMade(name.value.trim()));
      name.value = '';
    } catch (failure) {
      notifyFailure(failure);
    }
    onMade();
  };
  return (
    <form class="stack new-entry" onSubmit={(event) => void submit(event)}>
      <h3>{settings.newAccount}</h3>
      <div class="two-fields">
        <Field label={settings.accountName}>
          {(control) => (
            <input
              {...control}
              class="input"
              maxLength={200}
              value={name.value}
              onInput={({ currentTarget }) => (name.value = currentTarget.value)}
            />
          )}
        </Field>
        <SelectField
          label={settings.plan}
          value={plan.value}
          options={plans.map((plan) => ({ value: plan.name, label: planText(plan) }))}
          onChoose={(value) => (plan.value = value)}
        />
      </div>
      <div class="row">
        <Button type="submit" icon="people" disabled={name.value.trim() === ''}>
          {settings.makeAccount}
        </Button>
      </div>
    </form>
  );
}

/** Describes a plan as `free · 3,600 seconds, 10,000 characters, 5 videos`. */
function planText({ name, quotas }: Plan): string {
  const { settings } = text();
  const { stt_seconds: seconds, tts_characters: characters, video_summaries: videos } = quotas;
  return `${name} · ${settings.planOffers(seconds == null ? null : formatAmount(seconds), characters ?? null, videos ?? null)}`;
}
