import '@patternfly/react-core/dist/styles/base.css';
import './dashboard.css';
import './maps.css';
import './narrow.css';
import './plan-drawings.css';
import './print.css';
import './time-line.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { applyTheme, currentTheme } from './shell/theme.ts';
import { loadTexts } from './texts/languages.ts';

applyTheme(currentTheme());
const root = document.getElementById('root');
if (root)
  void loadTexts().then(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
