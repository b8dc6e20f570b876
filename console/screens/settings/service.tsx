import { useLoaded } from '#console/core/loaded.ts';
import { canSeal } from '#console/core/seal.ts';
import { endSession } from '#console/core/sign-out.ts';
import { account, client, isRemembered, remember } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Switch } from '#console/ui/field.tsx';
import { Card, Shown } from '#console/ui/parts.tsx';
import { openDocs } from './docs-link.ts';

/** Health and version, the API reference, and the end of the session. */
export function Service() {
  const { settings, signIn } = text();
  const health = useLoaded((signal) => client().health({ signal }));
  return (
    <Card title={settings.service}>
      <div class="stack">
        <Shown of={health}>
          {({ version }) => (
            <p class="row">
              <span class="badge good">{settings.healthy}</span>
              <span>
                {settings.version} {version}
              </span>
            </p>
          )}
        </Shown>
        {account.value === null ? null : (
          <p>
            {settings.signedInAs} <strong dir="auto">{account.value.name}</strong>
          </p>
        )}
        <Switch label={signIn.remember} hint={signIn.rememberHint} checked={isRemembered.value} onChange={remember} />
        <p class="muted small-text">{settings.docsHint}</p>
        <div class="row">
          <Button icon="link" onClick={openDocs}>
            {settings.docs}
          </Button>
          <Button onClick={() => void endSession()}>{settings.signOut}</Button>
        </div>
        <p class="muted small-text">
          {settings.signOutHint} {canSeal() ? settings.sealedHint : ''}
        </p>
      </div>
    </Card>
  );
}
