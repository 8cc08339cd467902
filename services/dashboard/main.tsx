import '@patternfly/react-core/dist/styles/base.css';
import './dashboard.css';
import './maps.css';
import './narrow.css';
import './plan-drawings.css';
import './print.css';
import './time-line.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readSession } from './api/session.ts';
import { App } from './app.tsx';
import { preloadPage } from './pages.tsx';
import { applyTheme, currentTheme } from './shell/theme.ts';
import { loadTexts } from './texts/languages.ts';

applyTheme(currentTheme());
// Texts, session and the code of the page load side by side.
const session = readSession();
session.catch(() => undefined);
const root = document.getElementById('root');
if (root)
  void loadTexts().then(() => {
    preloadPage();
    createRoot(root).render(
      <StrictMode>
        <App firstSession={session} />
      </StrictMode>,
    );
  });
