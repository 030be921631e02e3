import { type ComponentChild, render } from 'preact';
import { startClock } from '../api/clock.ts';
import { App } from './app.tsx';
import { DEVELOPER_SIDE } from './developer-side.tsx';
import { preloadScreen } from './screens.tsx';
import { applyTheme } from './theme.tsx';

/** Operators have a document of their own: nothing that a developer's session has read is in it. */
const isForOperators = /^\/console\/operator(?:\/|$)/.test(location.pathname);

applyTheme();
startClock();
const root = document.getElementById('app');
if (isForOperators) void import('./operator-app.tsx').then(({ OperatorApp }) => show(<OperatorApp />));
else {
  preloadScreen(DEVELOPER_SIDE.screens, location.pathname);
  show(<App />);
}

function show(app: ComponentChild): void {
  if (root) render(app, root);
}
