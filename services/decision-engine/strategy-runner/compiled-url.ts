import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { OperatorError } from '#libs/domain';

/**
 * File URL of the compiled twin of a TypeScript source of this package (`dist/…/x.js` for `…/x.ts`). Returns any other
 * URL unchanged. Also a compiled module may name its neighbour by the source's name. Worker threads load compiled
 * modules, also when the process itself runs from sources, as tests do. Throws OperatorError when the package has not
 * been built.
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
