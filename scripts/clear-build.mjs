// Empties `dist` for the package, except for the dashboard, which is rebuilt only when one of its sources has changed.
import { existsSync, readdirSync, rmSync } from 'node:fs';

const kept = new Set(['dashboard', '.dashboard-sources']);
for (const name of existsSync('dist') ? readdirSync('dist') : []) {
  if (!kept.has(name)) rmSync(`dist/${name}`, { recursive: true, force: true });
}
