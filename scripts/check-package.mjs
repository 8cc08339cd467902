// The package as its users import it, by publint and "are the types wrong": a step of `npm run check`, which takes the
// files from the build. `node scripts/check-package.mjs FILE.tgz` checks the file of `npm pack`.
import { readdirSync, readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData, Package } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** Kinds of resolution that no user can need: `require` of ES modules and `exports` exist in every supported Node. */
const unneeded = new Set(['node10', 'node16-cjs']);
const [tarball] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** Compiled modules with their types. Tests, benches and scripts are not packed. */
function filesOfBuild() {
  const compiled = ['libs', 'services', 'migrations'].flatMap((folder) =>
    readdirSync(`dist/${folder}`, { recursive: true })
      .filter((path) => /\.(js|d\.ts)$/.test(path) && !/\.test\./.test(path))
      .map((path) => `dist/${folder}/${path}`),
  );
  return ['package.json', 'README.md', 'LICENSE', ...compiled].map((path) => [path, readFileSync(path)]);
}

function packagesOf(files) {
  const root = `/node_modules/${manifest.name}`;
  const typed = Object.fromEntries(files.map(([path, data]) => [`${root}/${path}`, data.toString()]));
  return {
    typed: new Package(typed, manifest.name, manifest.version),
    pack: { files: files.map(([path, data]) => ({ name: `package/${path}`, data })) },
  };
}

const packed = tarball === undefined ? null : readFileSync(tarball);
const { typed, pack } = packed
  ? { typed: createPackageFromTarballData(packed), pack: { tarball: Uint8Array.from(packed).buffer } }
  : packagesOf(filesOfBuild());
const [{ messages, pkg }, types] = await Promise.all([
  publint({ pkgDir: 'package', pack, strict: true }),
  checkPackage(typed),
]);
/** Files that `vigil plugin new` copies. They are a package of their users. */
const template = 'dist/services/cli/plugin-template/';
const faults = [
  ...messages
    .map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`)
    .filter((text) => !text.includes(template)),
  ...(types.types ? [] : ['types: the package has no types']),
  ...(types.problems ?? [])
    .filter(({ resolutionKind }) => !unneeded.has(resolutionKind))
    .map((problem) => `types: ${JSON.stringify(problem)}`),
];
for (const fault of faults) console.error(fault);
console.log(`${Object.keys(types.entrypoints ?? {}).length} entry points, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
