import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, OperatorError } from '#libs/domain';

const ownFolder = dirname(fileURLToPath(import.meta.url));

/**
 * File to import for one entry of `VIGIL_PLUGINS`: a folder (absolute, or relative to `cwd`) or the name of an npm
 * package installed at or above `cwd`, or beside Vigil's installation.
 * @param beside a folder of Vigil's installation. Default this one.
 * @throws OperatorError that lists the searched places, or names an entry outside the folder.
 */
export function findPluginEntry(specifier: string, cwd: string, beside = ownFolder): string {
  return entryOfFolder(specifier, findPluginFolder(specifier, cwd, beside));
}

/**
 * Why users other than Vigil's could change the contents of a folder, such as `/opt/x can be written by other users`.
 * Null when no other user can.
 */
export type FindOtherWriter = (folder: string) => string | null;

/**
 * As `findPluginEntry`, for a plugin to execute: the writer of its files runs code as the user of this process.
 * @throws OperatorError when another user could write them.
 */
export function findTrustedEntry(specifier: string, cwd: string, findOtherWriter: FindOtherWriter): string {
  const problem = findOtherWriter(findPluginFolder(specifier, cwd, ownFolder));
  if (problem === null) return findPluginEntry(specifier, cwd);
  throw new OperatorError(
    `plugin ${specifier}: ${problem}, so it is not loaded; give it to root or to the user that runs Vigil, and remove the write permission of others (chmod -R go-w)`,
  );
}

function findPluginFolder(specifier: string, cwd: string, beside: string): string {
  const folder = resolve(cwd, specifier);
  if (isDirectory(folder)) return folder;
  if (isAbsolute(specifier) || specifier.startsWith('.')) {
    throw new OperatorError(`plugin ${specifier}: there is no folder ${folder}; correct VIGIL_PLUGINS`);
  }
  for (const parent of [...foldersAbove(resolve(cwd)), ...foldersAbove(beside)]) {
    const candidate = join(parent, 'node_modules', specifier);
    if (isDirectory(candidate)) return candidate;
  }
  throw new OperatorError(
    `plugin ${specifier}: there is neither a folder ${folder} nor an npm package of that name at or above ${cwd}, or beside Vigil; ` +
      'install it with npm or correct VIGIL_PLUGINS',
  );
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

function entryOfFolder(specifier: string, folder: string): string {
  const named = entryOfPackage(specifier, join(folder, 'package.json'));
  const candidates = named === undefined ? ['index.js', 'index.mjs'] : [named];
  if (named !== undefined) refuseOutside(specifier, folder, named);
  const entry = candidates.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (entry !== undefined) return entry;
  throw new OperatorError(
    `plugin ${specifier}: ${folder} has no ${candidates.join(' or ')}; name its module in "exports" of its package.json`,
  );
}

/** Refuses modules outside the folder: write permissions are only checked inside it. */
function refuseOutside(specifier: string, folder: string, named: string): void {
  const path = relative(folder, resolve(folder, named));
  if (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(named)) return;
  throw new OperatorError(
    `plugin ${specifier}: the module ${named} of its package.json is outside ${folder}, so it is not loaded; move it into the folder`,
  );
}

function entryOfPackage(specifier: string, path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  let manifest: { exports?: unknown; main?: unknown };
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new OperatorError(`plugin ${specifier}: ${path} is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
  return importTarget(manifest.exports) ?? (typeof manifest.main === 'string' ? manifest.main : undefined);
}

/** The target of `import` in `exports`: a text, the entry `.`, or its condition `node`, `import` or `default`. */
function importTarget(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const conditions = exports as Record<string, unknown>;
  for (const key of ['.', 'node', 'import', 'default']) {
    const target = importTarget(conditions[key]);
    if (target !== undefined) return target;
  }
  return undefined;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
