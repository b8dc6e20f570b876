import { render } from 'preact';
import { App } from './app.tsx';
import { takeKeyFromAddress } from './core/session.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/shell.css';

takeKeyFromAddress();
// A sign-in link may be opened in a tab where the console runs already.
addEventListener('hashchange', takeKeyFromAddress, { capture: true });
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
