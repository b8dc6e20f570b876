import { useSignal } from '@preact/signals';
import type { ApiKey, Scope } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { notify, notifyFailure } from '#console/core/notices.ts';
import { client, currentKey } from '#console/core/session.ts';
import { keyNameOf } from '#console/core/shipped.ts';
import { formatDate, text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Field } from '#console/ui/field.tsx';
import { Banner, Shown } from '#console/ui/parts.tsx';

const SCOPES = ['stt', 'tts', 'pronunciation', 'video', 'admin'] as const satisfies readonly Scope[];

/** The keys of an account: makes and revokes them. */
export function Keys({ accountId }: { accountId: string }) {
  const { settings } = text();
  const keys = useLoaded((signal) => client().keys.list(accountId, { signal }));
  const secret = useSignal<string | null>(null);
  const revoke = async (key: ApiKey) => {
    if (!confirm(settings.revokeQuestion(keyNameOf(key)))) return;
    await client().keys.revoke(key.id).catch(notifyFailure);
    keys.reload();
  };
  return (
    <div class="stack">
      {secret.value === null ? null : <Secret value={secret.value} onHide={() => (secret.value = null)} />}
      <Shown of={keys}>
        {(all) => (
          <ul class="keys">
            {all
              .filter(({ revoked }) => !revoked)
              .map((key) => (
                <li key={key.id}>
                  <span class="key-text">
                    <strong dir="auto">{keyNameOf(key)}</strong>
                    <span class="muted small-text">
                      <code>{key.prefix}…</code> · {formatDate(key.created_at)}
                      {currentKey().startsWith(key.prefix) ? ` · ${settings.thisKey}` : ''}
                    </span>
                    <span class="row scopes">
                      {key.scopes.map((scope) => (
                        <span key={scope} class="badge">
                          {settings.scopes[scope]}
                        </span>
                      ))}
                    </span>
                  </span>
                  <Button small onClick={() => void revoke(key)} label={settings.revokeOne(keyNameOf(key))}>
                    {settings.revoke}
                  </Button>
                </li>
              ))}
          </ul>
        )}
      </Shown>
      <NewKey
        accountId={accountId}
        onMade={(made) => {
          secret.value = made;
          keys.reload();
        }}
      />
    </div>
  );
}

/** The key itself, which nothing can show a second time. */
function Secret({ value, onHide }: { value: string; onHide: () => void }) {
  const { settings, common } = text();
  return (
    <Banner>
      <p>{settings.shownOnce}</p>
      <p>
        <code class="secret">{value}</code>
      </p>
      <div class="row">
        <Button
          small
          icon="copy"
          onClick={() => void navigator.clipboard.writeText(value).then(() => notify(common.copied), notifyFailure)}
        >
          {common.copy}
        </Button>
        <Button small onClick={onHide}>
          {settings.hide}
        </Button>
      </div>
    </Banner>
  );
}

function NewKey({ accountId, onMade }: { accountId: string; onMade: (secret: string) => void }) {
  const { settings } = text();
  const name = useSignal('');
  const scopes = useSignal<readonly Scope[]>(SCOPES.filter((scope) => scope !== 'admin'));
  const isBusy = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    try {
      const { api_key: secret } = await client().keys.create(accountId, {
        name: name.value.trim(),
        scopes: scopes.value,
      });
      name.value = '';
      onMade(secret);
    } catch (failure) {
      notifyFailure(failure);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form class="stack new-entry" onSubmit={(event) => void submit(event)}>
      <Field label={settings.keyName} hint={settings.keyNameHint}>
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
      <fieldset class="checks">
        <legend>{settings.scopesLabel}</legend>
        {SCOPES.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.value.includes(scope)}
              onChange={({ currentTarget }) => {
                const otherScopes = scopes.value.filter((chosen) => chosen !== scope);
                scopes.value = currentTarget.checked ? [...otherScopes, scope] : otherScopes;
              }}
            />
            <span>{settings.scopes[scope]}</span>
          </label>
        ))}
      </fieldset>
      <div class="row">
        <Button
          type="submit"
          icon="key"
          kind="primary"
          disabled={isBusy.value || name.value.trim() === '' || scopes.value.length === 0}
        >
          {settings.makeKey}
        </Button>
      </div>
    </form>
  );
}
