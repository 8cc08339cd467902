// `npm test`: the build, then all checks beside all tests. Ends with the time of each. Arguments go to vitest.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';

/** The tests go before: they wait often, and the checks take what they leave. */
const afterOthers = 5;
const times = [];

/** Resolves with the exit code. */
function run(name, args, { stdio = 'inherit', signal } = {}) {
  const began = performance.now();
  // All is built when the tests start: they need not look again.
  const env = { ...process.env, VIGIL_TEST_BUILT: '1' };
  const child = spawn(process.execPath, args, { stdio, env });
  signal?.addEventListener('abort', () => child.kill('SIGINT'));
  const ended = new Promise((resolve) => {
    child.once('close', (code) => {
      times.push(`${name} ${((performance.now() - began) / 1000).toFixed(0)} s`);
      resolve(code ?? 1);
    });
  });
  return { child, ended };
}

async function checksBesideTests() {
  const failing = new AbortController();
  const checks = run('checks', ['scripts/check.mjs', '--built'], { stdio: ['ignore', 'pipe', 'pipe'] });
  setPriority(checks.child.pid, afterOthers);
  let output = '';
  for (const stream of [checks.child.stdout, checks.child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)];
  const tests = run('tests', vitest, { signal: failing.signal });
  const checked = checks.ended.then((code) => {
    console.log(`\n${output.trimEnd()}\n`);
    if (code !== 0) failing.abort();
    return code;
  });
  return Math.max(...(await Promise.all([checked, tests.ended])));
}

const began = performance.now();
process.exitCode = await run('build', ['scripts/check.mjs', '--build']).ended;
if (process.exitCode === 0) process.exitCode = await checksBesideTests();
const total = ((performance.now() - began) / 1000).toFixed(0);
console.log(`\ntime of the stages: ${times.join(', ')}; ${total} s in all`);
