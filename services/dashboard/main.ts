import '@patternfly/react-core/dist/styles/base.css';
import './dashboard.css';
import './maps.css';
import './narrow.css';
import './plan-drawings.css';
import './print.css';
import './time-line.css';
import { returnToPlace } from './api/saved-place.ts';
import { hasProject, readSession } from './api/session.ts';
import { preloadPage } from './page-loaders.ts';
import { dataOfSession } from './shell/session-data.ts';
import { applyTheme, currentTheme } from './shell/theme.ts';
import { loadTexts } from './texts/languages.ts';

applyTheme(currentTheme());
// Session, texts, the code of the frame and that of the page load side by side. The first reads need only the session.
const session = readSession();
session.then(
  (found) => {
    if (!found.signed_in || !hasProject(found)) return;
    returnToPlace();
    dataOfSession(found);
  },
  () => undefined,
);
const app = import('./app.tsx');
const root = document.getElementById('root');
if (root)
  void loadTexts().then(async () => {
    preloadPage();
    (await app).showApp(root, session);
  });
