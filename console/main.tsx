import { render } from 'preact';
import { App } from './app.tsx';
import { takeKeyFromAddress } from './core/sign-in-link.ts';
import { joinTabs } from './core/tabs.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/shell.css';

takeKeyFromAddress();
// A sign-in link may be opened in a tab where the console runs already.
addEventListener('hashchange', takeKeyFromAddress, { capture: true });
joinTabs();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
