import { useEffect, useRef } from 'preact/hooks';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useLoaded } from './core/loaded.ts';
import { route } from './core/router.ts';
import { account, isReachable, isSignedIn, loadScopes, startSession, type Session } from './core/session.ts';
import { text } from './core/text.ts';
import { linkedSession } from './core/sign-in-link.ts';
import { ScreenView } from './screens/screen-view.tsx';
import { screenOf } from './screens/screens.ts';
import { SignIn } from './screens/sign-in/sign-in.tsx';
import { Side } from './side.tsx';
import { Button, IconButton } from './ui/button.tsx';
import { Logo } from './ui/icon.tsx';
import { Banner, Notices } from './ui/parts.tsx';

export function App() {
  return (
    <>
      {isSignedIn.value ? <Shell /> : <SignIn />}
      {linkedSession.value === null ? null : <LinkQuestion of={linkedSession.value} />}
      <Notices />
    </>
  );
}

function Shell() {
  const isMenuOpen = useSignal(false);
  const main = useRef<HTMLElement>(null);
  const { nav, name, failures } = text();
  const screen = screenOf(route.value);
  const title = screen.title(text());
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  useLoaded(loadScopes);
  useSignalEffect(() => {
    void route.value;
    isMenuOpen.value = false;
  });
  return (
    <div class="shell">
      <a
        class="button primary skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {nav.skip}
      </a>
      <header class="bar">
        <IconButton icon="menu" label={nav.menu} small={false} onClick={() => (isMenuOpen.value = true)} />
        <a class="brand" href="#/">
          <Logo />
          {name}
        </a>
      </header>
      <Side isOpen={isMenuOpen.value} current={screen} onClose={() => (isMenuOpen.value = false)} />
      <main ref={main} tabIndex={-1} id="content">
        {isReachable.value ? null : <Offline sentence={failures.banner} />}
        <ScreenView
          screen={screen}
          id={route.value.id}
          seconds={route.value.seconds}
          key={`${screen.name}/${route.value.id ?? ''}`}
        />
      </main>
    </div>
  );
}

const closeQuestion = () => (linkedSession.value = null);

/** Asks before a sign-in link replaces the session, and names both accounts. */
function LinkQuestion({ of }: { of: Session }) {
  const { signIn, common } = text();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const name = of.account?.name ?? '';
  return (
    <dialog ref={dialog} class="question" aria-labelledby="link-question" onClose={closeQuestion}>
      <h2 id="link-question">{signIn.linkTitle(name)}</h2>
      <p>{signIn.linkQuestion(account.value?.name ?? '')}</p>
      <div class="row">
        <Button
          kind="primary"
          onClick={() => {
            closeQuestion();
            startSession(of);
          }}
        >
          {signIn.linkTake(name)}
        </Button>
        <Button onClick={closeQuestion}>{common.cancel}</Button>
      </div>
    </dialog>
  );
}

function Offline({ sentence }: { sentence: string }) {
  return (
    <div style={{ marginBottom: '1.25rem' }}>
      <Banner kind="bad">
        <div class="row">
          <span>{sentence}</span>
          <Button small onClick={() => location.reload()}>
            {text().common.retry}
          </Button>
        </div>
      </Banner>
    </div>
  );
}
