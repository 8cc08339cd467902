import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const timeouts = { updateMs: 300_000, resolveMs: 120_000, downloadMs: 1_800_000, progressMs: 5000 };

/** A file of a Debian package that apt would fetch. */
export interface PackageFile {
  /** Argument of `apt-get download`: name, architecture and version. */
  request: string;
  /** Name of the file below the folder of downloads. */
  file: string;
  /** Bytes to download. */
  size: number;
}

/**
 * An apt with separate lists, archives and status of installed packages. It needs no rights and takes no system lock.
 */
export interface PrivateApt {
  /** Fetches the lists of packages. */
  update(): Promise<void>;
  /** Returns the packages and their dependencies, except those in every Debian. */
  resolve(packages: readonly string[]): Promise<PackageFile[]>;
  /** Downloads into `folder`. Calls `progress` every few seconds with the downloaded bytes. */
  download(files: readonly PackageFile[], folder: string, progress: (bytes: number) => void): Promise<void>;
}

/** Libraries that belong to the running system: programs must use the C library that fits the system's loader. */
const systemLibraries = ['libc6', 'libc-bin', 'libgcc-s1', 'libcrypt1', 'gcc-12-base', 'gcc-14-base'];
const keptFields = /^(Package|Status|Version|Architecture|Multi-Arch|Provides):/;

/**
 * The part of dpkg's status that every Debian has, independent of this machine: essential packages without their
 * dependencies. So the same packages are chosen everywhere.
 */
export function minimalStatus(status: string): string {
  const stanzas = status.split(/\n\n+/).filter((stanza) => {
    const name = /^Package: (.*)$/m.exec(stanza)?.[1] ?? '';
    return /^(Essential: yes|Priority: required)$/m.test(stanza) || systemLibraries.includes(name);
  });
  return stanzas
    .map(
      (stanza) =>
        `${stanza
          .split('\n')
          .filter((line) => keptFields.test(line))
          .join('\n')}\n\n`,
    )
    .join('');
}

/** Reads the lines of `apt-get install --print-uris`: `'URI' FILE SIZE HASH`. */
function parseUris(text: string): PackageFile[] {
  return [...text.matchAll(/^'[^']+' (\S+) (\d+)/gm)].map(([, file = '', size]) => {
    const [name = '', version = '', rest = ''] = file.split('_');
    const architecture = rest.replace(/\.deb$/, '');
    return { request: `${name}:${architecture}=${decodeURIComponent(version)}`, file, size: Number(size) };
  });
}

async function bytesIn(folder: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(folder)).map((name) =>
      stat(join(folder, name)).then(
        (entry) => (entry.isFile() ? entry.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Opens the apt with its state in `folder`. */
export async function openPrivateApt(folder: string): Promise<PrivateApt> {
  const [state, cache] = [join(folder, 'state'), join(folder, 'cache')];
  for (const path of [join(state, 'lists/partial'), join(cache, 'archives/partial')])
    await mkdir(path, { recursive: true });
  const status = join(state, 'status');
  await writeFile(status, minimalStatus(await readFile('/var/lib/dpkg/status', 'utf8')));
  const settings = {
    'Dir::State': state,
    'Dir::State::status': status,
    'Dir::Cache': cache,
    // Container images of Debian disable these. Without them every command reads the lists again.
    'Dir::Cache::pkgcache': 'pkgcache.bin',
    'Dir::Cache::srcpkgcache': 'srcpkgcache.bin',
    'Dir::Log': folder,
    'APT::Sandbox::User': '',
    'APT::Install-Recommends': 'false',
    'APT::Update::Post-Invoke': '',
    'APT::Update::Post-Invoke-Success': '',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
    'Acquire::http::Timeout': '30',
    'Acquire::https::Timeout': '30',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  async function apt(args: readonly string[], timeout: number, cwd = folder): Promise<string> {
    const done = await run('apt-get', [...options, '-q', '-y', ...args], { cwd, env, timeout, maxBuffer: 64e6 });
    return done.stdout;
  }
  return {
    update: async () => void (await apt(['update', '--error-on=any'], timeouts.updateMs)),
    resolve: async (packages) => parseUris(await apt(['install', '--print-uris', ...packages], timeouts.resolveMs)),
    async download(files, into, progress) {
      const ticking = setInterval(() => void bytesIn(into).then(progress), timeouts.progressMs);
      try {
        await apt(['download', ...files.map(({ request }) => request)], timeouts.downloadMs, into);
      } finally {
        clearInterval(ticking);
      }
    },
  };
}
