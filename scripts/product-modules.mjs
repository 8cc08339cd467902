// Finds modules of `libs/optimizer` that no strategy reaches: a step of `npm run check`. Benches and tests do not
// count, since a figure of code that no audit runs says nothing about the product. The script compares names, not
// files, so a module that only a bench imports through the index counts as unused.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const library = 'libs/optimizer';
/** The contest of `bench -- roadef` has no strategy: its search, its bound and all that they import. */
const benchOnly = ['bounds/merged-host.ts', 'search/solve.ts'];

const notProduct = /\.test\.tsx?$|\/generated\/|\/testing\//;
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'libs', 'services'], { encoding: 'utf8' });
const files = listed.split('\n').filter((file) => /\.tsx?$/.test(file) && !notProduct.test(file));
const modules = files.filter((file) => file.startsWith(`${library}/`) && file !== `${library}/index.ts`);
if (modules.length < 20) throw new Error(`only ${modules.length} modules of ${library} were found`);

function sourceOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // Removed on disk, but not in git's index.
  }
}

/** Names in `{ type A, B as C }` of an import or export of a specifier, as the other module calls them. */
function namesFrom(source, specifier) {
  const found = source.matchAll(/(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/g);
  return [...found]
    .filter(([, , from]) => from === specifier)
    .flatMap(([, names]) => names.split(','))
    .map((name) =>
      name
        .replace(/^\s*type\s+/, '')
        .split(' as ')[0]
        .trim(),
    )
    .filter((name) => name !== '');
}

function importsOf(file) {
  const found = sourceOf(file).matchAll(/from\s+'(\.[^']+)'/g);
  return [...found].map(([, specifier]) => join(dirname(file), specifier));
}

function reachedFrom(starts) {
  const reached = new Set(starts);
  for (const file of reached) for (const target of importsOf(file)) reached.add(target);
  return reached;
}

const index = sourceOf(`${library}/index.ts`);
const moduleOf = new Map(
  [...index.matchAll(/from\s+'(\.[^']+)'/g)].flatMap(([, specifier]) =>
    namesFrom(index, specifier).map((name) => [name, join(library, specifier)]),
  ),
);
const used = files
  .filter((file) => !file.startsWith(`${library}/`))
  .flatMap((file) => namesFrom(sourceOf(file), '#libs/optimizer'))
  .map((name) => moduleOf.get(name));
if (used.length === 0) throw new Error('no user of the optimizer was found');

const product = reachedFrom(used.filter((file) => file !== undefined));
const known = benchOnly.map((file) => join(library, file));
const allowed = reachedFrom(known);
const faults = [
  ...modules
    .filter((file) => !product.has(file) && !allowed.has(file))
    .map((file) => `${file}: no strategy reaches it`),
  ...known
    .filter((file) => product.has(file) || !modules.includes(file))
    .map((file) => `${file}: no longer an exception`),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
