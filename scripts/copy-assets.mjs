// Copies the data files that are read at run time next to the compiled code, since the compiler omits them.
import { chmodSync, cpSync, existsSync } from 'node:fs';

const assets = ['services/simulator/worlds', 'services/cli/plugin-template'];
for (const folder of assets) {
  if (existsSync(folder))
    cpSync(folder, `dist/${folder}`, { recursive: true, filter: (path) => !path.endsWith('.ts') });
}
for (const command of ['vigil', 'watcher-command']) chmodSync(`dist/services/${command}.js`, 0o755);
