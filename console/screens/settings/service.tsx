import { useLoaded } from '#console/core/loaded.ts';
import { client, signOut } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Card, Shown } from '#console/ui/parts.tsx';
import { forgetDocsKey, openDocs } from './docs-link.ts';

/** Health and version, the API reference, and the end of the session. */
export function Service() {
  const { settings } = text();
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
        <p class="muted small-text">{settings.docsHint}</p>
        <div class="row">
          <Button icon="link" onClick={openDocs}>
            {settings.docs}
          </Button>
          <Button
            onClick={() => {
              forgetDocsKey();
              signOut();
            }}
          >
            {settings.signOut}
          </Button>
        </div>
      </div>
    </Card>
  );
}
