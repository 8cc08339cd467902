import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, OperatorError } from '#libs/domain';
import { noteReused } from '../runner/note-reused.ts';
import { withFileLock } from './file-lock.ts';
import { openPrivateApt, type PackageFile } from './private-apt.ts';
import { testServerVariables } from './test-server.ts';

const run = promisify(execFile);
const unpackLimits = { timeout: 300_000 };
const unpackScript = 'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink --no-same-owner -C "$2"';
const workPrefix = '.unpacking-';
/** Increase it to unpack packages again after a change of this code. */
const layoutRevision = 2;

/** A program with its Debian packages. */
export interface PackageSet {
  /** A test server, or a program for tests. */
  name: string;
  /** Wanted packages. Apt adds their dependencies. */
  packages: readonly string[];
  /** Called once with the unpacked folder, to make it work from another root. */
  relocate?(root: string): Promise<void>;
}

/** Reports the progress of the preparation, a line at a time. */
export type Tell = (line: string) => void;

function reportOnStandardError(line: string): void {
  process.stderr.write(`test servers: ${line}\n`);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function targetOf(cacheDir: string, { name, packages }: PackageSet): string {
  const key = createHash('sha256')
    .update([layoutRevision, ...packages].join(' '))
    .digest('hex')
    .slice(0, 8);
  return join(cacheDir, `${name}-${process.arch}-${key}`);
}

/** Sets shared by several programs are listed once. */
async function missingOf(cacheDir: string, sets: readonly PackageSet[]): Promise<PackageSet[]> {
  const wanted = [...new Map(sets.map((set) => [targetOf(cacheDir, set), set]))];
  const there = await Promise.all(wanted.map(([target]) => exists(target)));
  return wanted.flatMap(([, set], index) => (there[index] ? [] : [set]));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(0)} s`;
}

/** Unpacks one set next to its final place and then moves it there. */
async function unpackSet(cacheDir: string, set: PackageSet, downloads: string, files: readonly PackageFile[]) {
  const work = await mkdtemp(join(cacheDir, `${workPrefix}${set.name}-`));
  await chmod(work, 0o755);
  // Packages from before the merge of /lib into /usr/lib must use the merged folder too. `dpkg -x` would replace the
  // link by a folder.
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) {
    await mkdir(join(work, 'usr', folder), { recursive: true });
    await symlink(join('usr', folder), join(work, folder));
  }
  for (const { file } of files)
    await run('sh', ['-c', unpackScript, 'unpack', join(downloads, file), work], unpackLimits);
  await set.relocate?.(work);
  await rename(work, targetOf(cacheDir, set));
}

/** Runs `work` for all items, in parallel by the number of cores. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  async function worker(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

async function prepareMissing(cacheDir: string, sets: readonly PackageSet[], report: Tell): Promise<void> {
  const started = performance.now();
  for (const entry of await readdir(cacheDir)) {
    if (entry.startsWith(workPrefix)) await rm(join(cacheDir, entry), { recursive: true, force: true });
  }
  const names = sets.map(({ name }) => name).join(', ');
  report(`${names}: Debian packages are unpacked into ${cacheDir}, nothing is installed`);
  const apt = await openPrivateApt(join(cacheDir, 'apt'));
  await apt.update();
  const filesOf = new Map<PackageSet, PackageFile[]>();
  await inParallel(sets, async (set) => void filesOf.set(set, await apt.resolve(set.packages)));
  const files = [...new Map([...filesOf.values()].flat().map((file) => [file.file, file])).values()];
  const total = files.reduce((sum, { size }) => sum + size, 0);
  report(`downloading ${files.length} packages, ${megabytes(total)} (lists of packages took ${seconds(started)})`);
  const downloads = await mkdtemp(join(cacheDir, `${workPrefix}downloads-`));
  const downloading = performance.now();
  await apt.download(files, downloads, (bytes) => report(`${megabytes(bytes)} of ${megabytes(total)}`));
  report(`unpacking (the download took ${seconds(downloading)})`);
  const largestFirst = [...sets].sort((a, b) => (filesOf.get(b)?.length ?? 0) - (filesOf.get(a)?.length ?? 0));
  await inParallel(largestFirst, async (set) => {
    const unpacking = performance.now();
    await unpackSet(cacheDir, set, downloads, filesOf.get(set) ?? []);
    report(`${set.name} is ready (${seconds(unpacking)})`);
  });
  await rm(downloads, { recursive: true, force: true });
  report(`prepared in ${seconds(started)}; later runs use what is there`);
}

/**
 * Unpacks the missing Debian packages of all sets, with one update of apt's lists and one download. Nothing is
 * installed and no rights are needed. One of several processes prepares while the others wait. Remains of a killed
 * process are removed by the next.
 * @throws OperatorError with the remedy when the packages cannot be fetched
 */
export async function prepareDebianPackages(
  cacheDir: string,
  sets: readonly PackageSet[],
  report: Tell = reportOnStandardError,
): Promise<void> {
  if ((await missingOf(cacheDir, sets)).length === 0) {
    if (sets.length > 0) noteReused(`unpacked packages in ${cacheDir}`);
    return;
  }
  await mkdir(cacheDir, { recursive: true, mode: 0o755 });
  const waiting = () => report('another run is preparing them; waiting for it');
  try {
    await withFileLock(
      join(cacheDir, '.lock'),
      async () => {
        const missing = await missingOf(cacheDir, sets);
        if (missing.length > 0) await prepareMissing(cacheDir, missing, report);
      },
      waiting,
    );
  } catch (error) {
    throw new OperatorError(`${advice(sets)}Reason: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the folder that holds the unpacked Debian packages of one set, after `prepareDebianPackages`. */
export async function unpackDebianPackages(cacheDir: string, set: PackageSet): Promise<string> {
  await prepareDebianPackages(cacheDir, [set]);
  return targetOf(cacheDir, set);
}

function advice(sets: readonly PackageSet[]): string {
  const names = sets.map(({ name }) => name);
  const variables = names.flatMap((name) =>
    name in testServerVariables ? [testServerVariables[name as keyof typeof testServerVariables]] : [],
  );
  const own =
    variables.length === 0
      ? ''
      : `Give your own in ${variables.join(', ')}, or name only the servers you can have in VIGIL_TEST_SERVERS. `;
  return `the tests need ${names.join(', ')} from Debian packages that could not be downloaded and unpacked with apt-get, dpkg-deb and tar. ${own}`;
}

/** Value of LD_LIBRARY_PATH for programs below `root`. */
export function libraryPath(root: string): string {
  return ['x86_64', 'aarch64'].map((machine) => join(root, `usr/lib/${machine}-linux-gnu`)).join(':');
}
