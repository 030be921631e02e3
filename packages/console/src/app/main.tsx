import { render } from 'preact';
import { startClock } from '../api/clock.ts';
import { App } from './app.tsx';
import { preloadScreen } from './screens.tsx';
import { applyTheme } from './theme.tsx';

applyTheme();
startClock();
preloadScreen(location.pathname);
const root = document.getElementById('app');
if (root) render(<App />, root);
