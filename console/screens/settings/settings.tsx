import { useLoaded } from '#console/core/loaded.ts';
import { client, SERVICE_URL, signOut } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { Button } from '#console/ui/button.tsx';
import { Card, PageHead, Shown } from '#console/ui/parts.tsx';

export function Settings() {
  const { settings } = text();
  const health = useLoaded((signal) => client().health({ signal }));
  return (
    <>
      <PageHead title={settings.title} />
      <div class="stack">
        <Card title={settings.session}>
          <Button onClick={() => signOut()}>{settings.signOut}</Button>
        </Card>
        <Card title={settings.service}>
          <Shown of={health}>
            {({ version }) => (
              <p>
                {settings.version} {version} · <a href={`${SERVICE_URL}/docs`}>{settings.docs}</a>
              </p>
            )}
          </Shown>
        </Card>
      </div>
    </>
  );
}
