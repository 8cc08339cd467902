// All checks that need no servers: `npm run check`. Each step names the remedy for its findings. `--build` only makes
// the build. `--built` skips it.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';

const schemas = [
  ['openapi/vigil.json', 'libs/client/generated/schema.ts'],
  ['openapi/internal.json', 'services/dashboard/api/generated/internal-schema.ts'],
];

/** Folders with modules. */
const sources = 'libs services migrations bench verify tests';

/** Build first: later steps read its output. */
const stages = [
  [{ name: 'build', command: 'npm run --silent build', mend: 'mend the compiler errors' }],
  [
    { name: 'lint', command: 'biome check .', mend: 'npx biome check --write' },
    // Biome's rule for floating promises does not see the promises of interfaces.
    { name: 'promises', command: 'oxlint --type-aware', mend: 'await the promise, or handle its rejection' },
    {
      name: 'wording',
      command: 'node scripts/prose/check-prose.mjs',
      mend: 'use the words behind "instead"',
    },
    { name: 'types of the dashboard', command: 'tsc -p services/dashboard', mend: 'mend the compiler errors' },
    {
      name: 'import rules',
      command: `depcruise --config .dependency-cruiser.cjs --output-type err-long ${sources}`,
      mend: 'follow the sentence behind "Instead" of the broken rule',
      // The rules also pass without any module, so the output must count thousands.
      says: /no dependency violations found \(\d{4,} modules/,
    },
    { name: 'circles of folders', command: 'node scripts/folder-circles.mjs', mend: 'move the shared code' },
    {
      name: 'unused parts of the optimizer',
      command: 'node scripts/product-modules.mjs',
      mend: 'use the module in a strategy, or remove it',
    },
    { name: 'unused code', command: 'knip', mend: 'remove unused code' },
    { name: 'types of the examples', command: 'tsc -p examples', mend: 'mend the compiler errors' },
    { name: 'generated pages', command: 'node dist/scripts/generated-docs.js --check', mend: 'npm run docs' },
    ...schemas.map(([document, types]) => ({
      name: `types of ${document}`,
      command: `openapi-typescript ${document} --default-non-nullable=false -o ${types} --check`,
      mend: 'npm run openapi',
    })),
    {
      name: 'imports of the package',
      command: 'node scripts/check-package.mjs',
      mend: 'mend "exports", "imports" or "bin" of package.json',
    },
    { name: 'rules of OpenAPI', command: 'node scripts/lint-openapi.mjs', mend: 'mend the schema of the route' },
    {
      name: 'links of the package',
      command: 'node scripts/package-links.mjs',
      mend: 'use the address of the repository, or extend "files" of package.json',
    },
    { name: 'lock file', command: 'node scripts/complete-lockfile.mjs --check', mend: 'npm run lockfile' },
  ],
];

const failed = [];

/** Passes lines such as "reused: the dashboard" to the test run that this is a part of. */
function noteReused(output) {
  const file = process.env.VIGIL_TEST_REUSED_FILE;
  const names = [...output.matchAll(/^reused: (.+)$/gm)].map(([, name]) => `${name}\n`);
  if (file && names.length > 0) appendFileSync(file, names.join(''));
}

function run(step) {
  const began = performance.now();
  const env = { ...process.env, PATH: `node_modules/.bin:${process.env.PATH}` };
  const child = spawn('sh', ['-c', step.command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const time = `${((performance.now() - began) / 1000).toFixed(1)} s`;
      const isOk = code === 0 && (step.says?.test(output) ?? true);
      console.log(`${isOk ? 'ok    ' : 'FAILED'} ${step.name} (${time})`);
      if (!isOk) failed.push({ ...step, output });
      noteReused(output);
      resolve();
    });
  });
}

if (existsSync('dist/.tsbuildinfo')) noteReused('reused: compiled sources that have not changed');
const only = { '--build': stages.slice(0, 1), '--built': stages.slice(1) };
for (const stage of only[process.argv[2]] ?? stages) {
  const waiting = [...stage];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await run(step);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  if (failed.length > 0) break;
}
for (const { name, command, mend, output } of failed) {
  console.error(`\n${name}: ${command}\n${output.trimEnd()}${mend ? `\nto mend it: ${mend}` : ''}`);
}
process.exitCode = failed.length > 0 ? 1 : 0;
