// Completes package-lock.json: adds the optional packages of other platforms that npm leaves out where a registry
// mirror does not carry them (`npm ci` then refuses the lock file), and the integrity of every entry that has none, as
// the registry states it. Run `npm run lockfile` after `npm install`. With --check, only the exit code reports whether
// something is missing. That needs no network.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const path = 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8'));

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'aix', 'sunos', 'netbsd', 'openbsd'];
// Longest names first: `arm64` must not be taken for `arm`.
const processors = ['loong64', 'mips64el', 'riscv64', 'arm64', 'ppc64', 's390x', 'ia32', 'wasm32', 'x64', 'arm'];

const added = [];
for (const [parentPath, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const wanted = `node_modules/${name}`;
    const nested = `${parentPath}/${wanted}`;
    if (lock.packages[wanted] || lock.packages[nested] || parentPath === '') continue;
    lock.packages[wanted] = { version, ...platformOf(name), ...(parent.dev ? { dev: true } : {}), optional: true };
    added.push(name);
  }
}
const unproven = Object.entries(lock.packages).filter(([place, entry]) => place && !entry.link && !entry.integrity);

if (process.argv.includes('--check')) {
  if (added.length > 0 || unproven.length > 0)
    process.stderr.write(
      `package-lock.json lacks ${added.length} packages of other platforms and the integrity of ${unproven.length} entries ` +
        `(${unproven.map(([place]) => place).join(', ')}); run: npm run lockfile\n`,
    );
  process.exit(added.length > 0 || unproven.length > 0 ? 1 : 0);
}
for (const [place, entry] of unproven) {
  const { version, ...rest } = entry;
  lock.packages[place] = { version, integrity: readIntegrity(place, version), ...rest };
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} packages of other platforms added, integrity of ${unproven.length} entries\n`);

/**
 * Queries the registry. A version that it does not carry cannot be verified: use another version of the tool that
 * needs it.
 */
function readIntegrity(place, version) {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  try {
    const command = ['view', `${name}@${version}`, 'dist.integrity', '--json'];
    const integrity = JSON.parse(
      execFileSync('npm', command, { encoding: 'utf8', timeout: 60_000, stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    if (typeof integrity === 'string') return integrity;
  } catch {
    // The error is reported below.
  }
  throw new Error(
    `the registry states no integrity of ${name}@${version}; use a version of its dependent that exists for every platform`,
  );
}

/** Reads operating system, processor and C library from a name such as `binding-linux-arm64-musl`. */
function platformOf(name) {
  const os = systems.find((system) => name.includes(system));
  const cpu = processors.find((processor) => name.includes(processor));
  if (!os || !cpu) throw new Error(`${name}: no platform in the name; add it to package-lock.json by hand`);
  const libc = name.includes('musl') ? 'musl' : os === 'linux' ? 'glibc' : undefined;
  return { os: [os], cpu: [cpu], ...(libc ? { libc: [libc] } : {}) };
}
