// `npm test`: all checks, then all tests; ends with the time of each stage. Arguments go to vitest.
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

const stages = [
  { name: 'checks', args: ['scripts/check.mjs'] },
  { name: 'tests', args: ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)] },
];
const times = [];
for (const { name, args } of stages) {
  const began = performance.now();
  // The checks have built everything: the tests need not look again.
  const env = { ...process.env, VIGIL_TEST_BUILT: '1' };
  const { status, signal } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  times.push(`${name} ${((performance.now() - began) / 1000).toFixed(0)} s`);
  process.exitCode = signal === null ? (status ?? 1) : 1;
  if (process.exitCode !== 0) break;
}
console.log(`\ntime of the stages: ${times.join(', ')}`);
