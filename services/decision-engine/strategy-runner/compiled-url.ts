import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { OperatorError } from '#libs/domain';

/**
 * Maps the file URL of a TypeScript source of this package to its compiled twin (`…/x.ts` to `dist/…/x.js`). Returns
 * any other URL unchanged. A compiled module may also name its neighbour by the source's name. Worker threads load
 * compiled modules, also when the process runs from sources, as in tests. Throws OperatorError when the package has
 * not been built.
 */
export function compiledUrl(url: string): string {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return url;
  const source = fileURLToPath(url);
  const root = packageRoot(dirname(source));
  const inside = relative(root, source).replace(/\.ts$/, '.js');
  const compiled = inside.startsWith(`dist${sep}`) ? join(root, inside) : join(root, 'dist', inside);
  if (!existsSync(compiled)) {
    throw new OperatorError(`${relative(root, compiled).split(sep).join('/')} does not exist; run "npm run build"`);
  }
  return pathToFileURL(compiled).href;
}

function packageRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new OperatorError('the package.json of Vigil was not found above its modules');
  return packageRoot(parent);
}
