// `npm start` and `npm run demo`: announces its steps, builds, and continues as `vigil up` or `vigil demo` in the same
// process, so that a signal to npm reaches them.
import { spawn } from 'node:child_process';

const stillMs = 5_000;
const isQuiet = process.argv.includes('--json');
const begin = performance.now();

const { VIGIL_HOST: host = '127.0.0.1', VIGIL_PORT: port = '9322', OS_AUTH_URL: authUrl } = process.env;
const isDemo = process.argv[2] === 'demo';
const signIn =
  authUrl && !isDemo
    ? `sign in as a user of ${authUrl}`
    : `user admin, password ${process.env.VIGIL_SIMULATOR_PASSWORD ?? 'vigil'}, project admin`;
const place = port === '0' ? 'on a free port' : `at http://${host}:${port}/dashboard/`;

say(`Vigil is built first; then its dashboard is ${place} (${signIn}).`);
say('  building from the sources …');
await build();
say(`  built in ${seconds()}`);
await import('../dist/services/vigil.js');

function say(line) {
  if (!isQuiet) process.stdout.write(`${line}\n`);
}

function seconds() {
  return `${((performance.now() - begin) / 1000).toFixed(1)} s`;
}

/** Ends this process when the build fails, or at a stop signal. Then no process of the build is left. */
async function build() {
  // In its own process group, so that all of it can be ended. Its output is for people.
  const child = spawn('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 2, 2], detached: true });
  const exited = new Promise((resolve) => {
    child.once('exit', resolve).once('error', (error) => {
      process.stderr.write(`npm run build: ${error.message}\n`);
      resolve(1);
    });
  });
  const timer = setInterval(() => say(`  still building (${seconds()})`), stillMs);
  const stop = async (_signal, number) => {
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await exited;
    process.exit(128 + number);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
  const code = await exited;
  clearInterval(timer);
  process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop);
  if (code !== 0) process.exit(1);
}
