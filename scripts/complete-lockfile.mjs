// Adds to package-lock.json the optional packages of other platforms that a registry mirror does not carry: npm leaves
// them out of the lock file there, and `npm ci` then refuses it. Run after `npm install`: npm run lockfile
// With --check it only tells, by its exit code, whether there is something to add.
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
if (process.argv.includes('--check')) {
  if (added.length > 0)
    process.stderr.write(
      `package-lock.json lacks ${added.length} packages of other platforms; run: npm run lockfile\n`,
    );
  process.exit(added.length > 0 ? 1 : 0);
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} packages of other platforms added\n`);

/** Reads operating system, processor and C library from a name such as `binding-linux-arm64-musl`. */
function platformOf(name) {
  const os = systems.find((system) => name.includes(system));
  const cpu = processors.find((processor) => name.includes(processor));
  if (!os || !cpu) throw new Error(`${name}: no platform in the name; add it to package-lock.json by hand`);
  const libc = name.includes('musl') ? 'musl' : os === 'linux' ? 'glibc' : undefined;
  return { os: [os], cpu: [cpu], ...(libc ? { libc: [libc] } : {}) };
}
