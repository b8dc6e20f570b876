import { useSignal } from '@preact/signals';
import { AuthenticationError } from '@jyutsing/client';
import { describeFailure } from '#console/core/failures.ts';
import { endedBy, signIn } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { Appearance } from '#console/side.tsx';
import { Button } from '#console/ui/button.tsx';
import { Field, Switch } from '#console/ui/field.tsx';
import { Logo } from '#console/ui/icon.tsx';
import { Banner } from '#console/ui/parts.tsx';
import './sign-in.css';

export function SignIn() {
  const { signIn: messages, name, tagline } = text();
  const key = useSignal('');
  const fault = useSignal<unknown>(null);
  const isBusy = useSignal(false);
  const isKept = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (key.value.trim() === '' || isBusy.value) return;
    isBusy.value = true;
    fault.value = null;
    try {
      await signIn(key.value.trim(), { remembered: isKept.value });
    } catch (failure) {
      fault.value = failure;
    } finally {
      isBusy.value = false;
    }
  };
  const faultText = () => {
    if (fault.value === null) return null;
    return fault.value instanceof AuthenticationError ? messages.refused : describeFailure(fault.value);
  };
  return (
    <main class="sign-in">
      <div class="brand">
        <Logo />
        <span>
          {name}
          <small>{tagline}</small>
        </span>
      </div>
      {endedBy.value === 'refused' ? <Banner>{messages.ended}</Banner> : null}
      <form class="card stack" onSubmit={(event) => void submit(event)}>
        <h1>{messages.title}</h1>
        <p class="muted">{messages.lead}</p>
        <Field label={messages.key} fault={faultText()}>
          {(control) => (
            <input
              {...control}
              class="input"
              type="password"
              name="key"
              autocomplete="current-password"
              spellcheck={false}
              autofocus
              value={key.value}
              onInput={({ currentTarget }) => (key.value = currentTarget.value)}
            />
          )}
        </Field>
        <Switch
          label={messages.remember}
          hint={messages.rememberHint}
          checked={isKept.value}
          onChange={(checked) => (isKept.value = checked)}
        />
        <Button kind="primary" type="submit" icon="key" disabled={isBusy.value || key.value.trim() === ''}>
          {messages.submit}
        </Button>
        <p class="muted small-text">{messages.help}</p>
      </form>
      <div class="sign-in-tail">
        <Appearance />
      </div>
    </main>
  );
}
