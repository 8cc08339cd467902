// Builds the dashboard if any of its sources has changed since the last build.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const output = 'dist/dashboard';
const stamp = 'dist/.dashboard-sources';
const parts = [
  'services/dashboard',
  'libs/client',
  'libs/cron',
  'package.json',
  'package-lock.json',
  'scripts/build-dashboard.mjs',
];

function* filesOf(path) {
  if (/\.(json|mjs)$/.test(path)) return yield path;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) yield* filesOf(inside);
    else if (!/\.test\.tsx?$|\.md$/.test(entry.name)) yield inside;
  }
}

function digest() {
  const hash = createHash('sha256');
  for (const file of parts.flatMap((part) => [...filesOf(part)]).sort())
    hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

const sources = digest();
const built = existsSync(join(output, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
if (built) console.log('reused: the built dashboard');
else {
  rmSync(stamp, { force: true });
  const args = [
    'node_modules/vite/bin/vite.js',
    'build',
    '--config',
    'services/dashboard/vite.config.ts',
    '--logLevel',
    'warn',
  ];
  // A test runner sets `test`, which would select React's development build. That build runs every effect twice.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, sources);
}
