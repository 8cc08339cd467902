// Empties `dist` for the package, but for the dashboard: that is built again only when something that it is made of has
// changed.
import { existsSync, readdirSync, rmSync } from 'node:fs';

const kept = new Set(['dashboard', '.dashboard-sources']);
for (const name of existsSync('dist') ? readdirSync('dist') : []) {
  if (!kept.has(name)) rmSync(`dist/${name}`, { recursive: true, force: true });
}
