import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The package as users install it: outside of the checkout, from the file of `npm pack`. */
export interface InstalledPackage {
  /** Folder with `node_modules`, and nothing of the checkout in it. */
  folder: string;
  /** The installed package itself. */
  root: string;
  /** The file of `npm pack`. */
  tarball: string;
  /** Runs a command there as a user does, without npm's script variables. Returns its standard output. */
  run(command: string[], options?: { cwd?: string; env?: NodeJS.ProcessEnv }): Promise<string>;
  remove(): Promise<void>;
}

const left = new Set(['node_modules', 'dist', '.git', '.vigil', 'coverage']);
/** Limit of one command. More than a busy machine needs. */
const timeLimitMs = 540_000;

/**
 * Packs this checkout with `npm pack` and installs the file in an empty folder. The checkout and its build stay
 * unchanged.
 */
export async function installPackage(): Promise<InstalledPackage> {
  const work = await mkdtemp(join(tmpdir(), 'vigil-package-'));
  const checkout = join(work, 'checkout');
  const folder = join(work, 'user');
  const env = userEnv();
  const runIn: InstalledPackage['run'] = async ([command = '', ...args], options = {}) => {
    const settings = { cwd: options.cwd ?? folder, env: { ...env, ...options.env }, timeout: timeLimitMs };
    try {
      return (await run(command, args, { ...settings, maxBuffer: 32 * 1024 * 1024 })).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string };
      throw new Error(`${[command, ...args].join(' ')} failed: ${stderr ?? ''}\n${stdout ?? ''}`, { cause: error });
    }
  };
  let tarball: string;
  const remove = () => rm(work, { recursive: true, force: true });
  try {
    await mkdir(folder);
    const filter = (path: string) => !left.has(relative(resolve('.'), path));
    await cp('.', checkout, { recursive: true, filter });
    // Uses the dashboard built from the same sources. `npm pack` builds it again when they differ.
    const built = ['dist/dashboard', 'dist/.dashboard-sources'].filter((path) => existsSync(path));
    await Promise.all(built.map((path) => cp(path, join(checkout, path), { recursive: true })));
    await symlink(resolve('node_modules'), join(checkout, 'node_modules'), 'dir');
    await runIn(['npm', 'pack', '--pack-destination', work], { cwd: checkout });
    const file = (await readdir(work)).find((name) => name.endsWith('.tgz'));
    tarball = join(work, file ?? 'missing');
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    // An engine that a dependency does not support ends the installation.
    await runIn(['npm', 'install', '--engine-strict', tarball]);
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, root: join(folder, 'node_modules', 'openstack-vigil'), tarball, run: runIn, remove };
}

/** Settings that decide how npm gets to its registry. */
const network = [
  ...['npm_config_registry', 'npm_config_cache', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
];

function userEnv(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', ...network].filter((name) => process.env[name]);
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}
