import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OutcomeError, UsageError } from './errors.ts';

const packageName = 'openstack-vigil';
const template = fileURLToPath(new URL('./plugin-template/', import.meta.url));

/**
 * Creates a folder with a working strategy plugin, its tests and a README, and links this package into it so that the
 * tests run immediately. Elsewhere `npm install` installs it: `package.json` names the version.
 * @param path folder to create. Its last part is the name of the strategy.
 * @returns the folder and the names of the files in it.
 * @throws UsageError on an invalid name, or an existing folder.
 */
export function scaffoldPlugin(path: string): { folder: string; files: string[] } {
  const folder = resolve(path);
  const names = namesOf(basename(folder));
  if (existsSync(folder)) throw new UsageError(`${folder} already exists; choose another name or remove it`);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const files = readdirSync(template).sort();
  for (const file of files)
    writeFileSync(join(folder, file), renamed(readFileSync(join(template, file), 'utf8'), names));
  const vigil = ownPackage(dirname(template));
  const manifestPath = join(folder, 'package.json');
  const devDependencies = { [packageName]: `^${vigil.version}` };
  const manifest = { ...JSON.parse(readFileSync(manifestPath, 'utf8')), devDependencies };
  writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
  symlinkSync(vigil.folder, join(folder, 'node_modules', packageName), 'dir');
  return { folder, files };
}

interface Names {
  kebab: string;
  snake: string;
  camel: string;
}

function namesOf(name: string): Names {
  if (!/^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/.test(name) || name.length > 63) {
    throw new UsageError(
      `${name} cannot be the name of a plugin: it must be lowercase letters and digits with - or _ between words, 63 at most`,
    );
  }
  const [first = '', ...rest] = name.split(/[-_]/);
  const camel = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return { kebab: name.replaceAll('_', '-'), snake: name.replaceAll('-', '_'), camel };
}

/** A camel-case name may be a reserved word, such as `new`. The strategy's name never stands alone. */
function renamed(text: string, { kebab, snake, camel }: Names): string {
  const identifier = camel.endsWith('Strategy') ? camel : `${camel}Strategy`;
  return text.replaceAll('my-strategy', kebab).replaceAll('my_strategy', snake).replaceAll('myStrategy', identifier);
}

function ownPackage(from: string): { folder: string; version: string } {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (!existsSync(path)) continue;
    const { name, version } = JSON.parse(readFileSync(path, 'utf8'));
    if (name === packageName) return { folder, version };
  }
  throw new OutcomeError(`the package ${packageName} was not found above ${from}`);
}
