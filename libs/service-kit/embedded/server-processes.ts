import { spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, OperatorError } from '#libs/domain';
import { isProcessAlive, startOfProcess } from '../processes.ts';

/** Time limit of a fast shutdown in milliseconds. After it the shutdown is immediate. */
const fastMs = 15_000;
const immediateMs = 10_000;
const checkAgainMs = 50;

/**
 * Ensures that no server runs on the cluster. Stops a server whose owner was killed. Signals only processes that run a
 * program named `postgres` with the cluster as their working folder, regardless of the pid in the lock file.
 * @throws OperatorError when the owner lives, or the server does not stop.
 */
export async function stopLeftServer(home: string, logger: Logger): Promise<void> {
  const cluster = join(home, 'cluster');
  if (!existsSync(cluster)) return;
  if (findServers(cluster).length === 0) {
    removeStaleLock(cluster);
    return;
  }
  const owner = readOwner(home);
  if (owner !== null)
    throw new OperatorError(
      `another Vigil (pid ${owner}) uses the data directory ${home}; stop it, or set VIGIL_DATA_DIR`,
    );
  logger.info({ home }, 'stopping the PostgreSQL server that a killed process left behind');
  for (const [signal, graceMs] of [
    ['SIGINT', fastMs],
    ['SIGQUIT', immediateMs],
  ] as const) {
    signalPostmaster(cluster, signal);
    if (await waitUntilNone(cluster, graceMs)) return;
  }
  throw new OperatorError(
    `the PostgreSQL server ${findServers(cluster).join(', ')} in ${cluster} does not stop; end it and try again`,
  );
}

/** Records this process as the owner of the server. */
export function writeOwner(home: string): void {
  const file = join(home, 'owner.pid');
  const fresh = `${file}.${process.pid}`;
  // Writes a new file, so that a link at this path is replaced and not followed.
  writeFileSync(fresh, `${process.pid} ${startOfProcess(process.pid)}`, { mode: 0o600, flag: 'w' });
  renameSync(fresh, file);
}

/** Pid of the living process that owns the server. Null without one, after its end, or for this process. */
export function readOwner(home: string): number | null {
  const file = join(home, 'owner.pid');
  if (!existsSync(file)) return null;
  const [first = '', start] = readFileSync(file, 'utf8').trim().split(' ');
  const pid = toPid(first);
  if (pid === null || pid === process.pid || !isProcessAlive(pid)) return null;
  return start === undefined || start === startOfProcess(pid) ? pid : null;
}

/** Pids of the processes that work on a cluster: the postmaster and its children. */
export function findServers(cluster: string): number[] {
  const folder = realpathSync(cluster);
  return existsSync('/proc/self/cwd') ? findByProc(folder) : findByLsof(folder);
}

function findByProc(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isServer(`/proc/${name}`, folder))
    .map(Number);
}

function isServer(process: string, folder: string): boolean {
  try {
    if (readlinkSync(join(process, 'cwd')) !== folder) return false;
    // A program that was replaced during its run is shown as deleted.
    return basename(readlinkSync(join(process, 'exe')).replace(/ \(deleted\)$/, '')) === 'postgres';
  } catch {
    // The process has ended, or belongs to another user.
    return false;
  }
}

function findByLsof(folder: string): number[] {
  const { stdout } = spawnSync('lsof', ['-a', '-c', 'postgres', '-d', 'cwd', '-Fpn'], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  return (stdout ?? '')
    .split(/^p/m)
    .filter((process) => process.split('\n').includes(`n${folder}`))
    .map((process) => Number.parseInt(process, 10));
}

function signalPostmaster(cluster: string, signal: NodeJS.Signals): void {
  const pid = readPostmaster(cluster);
  // The other processes end without the postmaster.
  if (pid !== null && findServers(cluster).includes(pid)) process.kill(pid, signal);
}

/** PostgreSQL refuses to start when the pid in its lock file belongs to any process of the same user. */
function removeStaleLock(cluster: string): void {
  const pid = readPostmaster(cluster);
  if (pid !== null && isProcessAlive(pid)) rmSync(join(cluster, 'postmaster.pid'));
}

function readPostmaster(cluster: string): number | null {
  const file = join(cluster, 'postmaster.pid');
  return existsSync(file) ? toPid(readFileSync(file, 'utf8')) : null;
}

function toPid(text: string): number | null {
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && pid > 1 ? pid : null;
}

async function waitUntilNone(cluster: string, limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs;
  while (findServers(cluster).length > 0) {
    if (performance.now() > until) return false;
    await sleep(checkAgainMs);
  }
  return true;
}
