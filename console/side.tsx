import { theme, uiLanguage } from './core/preferences.ts';
import { addressOf } from './core/router.ts';
import { isAllowed } from './core/session.ts';
import { text } from './core/text.ts';
import { SCREENS, type Screen } from './screens/screens.ts';
import { Choices, IconButton } from './ui/button.tsx';
import { Icon, Logo } from './ui/icon.tsx';

/** The list of screens: beside the screen, or over it on a small one. */
export function Side({ isOpen, current, onClose }: { isOpen: boolean; current: Screen; onClose: () => void }) {
  const messages = text();
  const { nav, name, tagline, common } = messages;
  return (
    <div
      class={`side ${isOpen ? 'open' : ''}`}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose();
      }}
    >
      <span class="close-menu">
        <IconButton icon="close" label={common.close} small={false} onClick={onClose} />
      </span>
      <a class="brand" href="#/">
        <Logo />
        <span>
          {name}
          <small>{tagline}</small>
        </span>
      </a>
      <nav aria-label={nav.label}>
        {SCREENS.filter(({ scope }) => isAllowed(scope)).map((screen) => (
          <a
            key={screen.name}
            href={addressOf(screen.name)}
            aria-current={screen === current ? 'page' : undefined}
            onClick={onClose}
          >
            <Icon name={screen.icon} />
            {screen.title(messages)}
          </a>
        ))}
      </nav>
      <div class="tail">
        <Appearance />
      </div>
    </div>
  );
}

export function Appearance() {
  const { theme: themes, common } = text();
  return (
    <>
      <Choices
        label={common.language}
        options={[
          { value: 'zh-HK', label: '中文' },
          { value: 'en', label: 'English' },
        ]}
        value={uiLanguage.value}
        onChoose={(value) => (uiLanguage.value = value)}
      />
      <Choices
        label={themes.label}
        options={[
          { value: 'system', label: themes.system },
          { value: 'light', label: themes.light },
          { value: 'dark', label: themes.dark },
        ]}
        value={theme.value}
        onChoose={(value) => (theme.value = value)}
      />
    </>
  );
}
