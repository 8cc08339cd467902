import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#libs/domain';
import type { Stack } from '../stack/stack.ts';
import { periodically } from './periodically.ts';

/** Limit on processor time during a soak. */
export interface Pressure {
  stop(): Promise<void>;
}

const periodUs = 100_000;
/** A quota that no machine reaches. */
const unlimited = 100 * periodUs;
const root = '/sys/fs/cgroup';

/** A control group and the way to limit it. */
interface Group {
  folder: string;
  limit(quotaUs: number): void;
}

/** Versions 1 and 2 of control groups. Null when this process cannot make one. */
function makeGroup(name: string): Group | null {
  const first = join(root, 'cpu', name);
  const second = join(root, name);
  try {
    if (existsSync(join(root, 'cpu', 'cpu.cfs_quota_us'))) {
      mkdirSync(first);
      return {
        folder: first,
        limit(quotaUs) {
          writeFileSync(join(first, 'cpu.cfs_period_us'), String(periodUs));
          writeFileSync(join(first, 'cpu.cfs_quota_us'), String(quotaUs));
        },
      };
    }
    const controllers = readFileSync(join(root, 'cgroup.subtree_control'), 'utf8').split(/\s+/);
    if (!controllers.includes('cpu')) return null;
    mkdirSync(second);
    return { folder: second, limit: (quotaUs) => writeFileSync(join(second, 'cpu.max'), `${quotaUs} ${periodUs}`) };
  } catch {
    return null;
  }
}

/**
 * Limits all processes of the stack together to `percent` of one core, also those that start later.
 * @throws OperatorError when this machine lets the soak make no control group
 */
export function limitProcessor({ members }: Stack, percent: number): Pressure {
  const group = makeGroup(`vigil-soak-${process.pid}`);
  if (group === null) {
    throw new OperatorError('--pressure: this user cannot make a control group for the processor; use --busy N');
  }
  group.limit((periodUs * percent) / 100);
  const stop = periodically(1000, async () => {
    for (const { pid } of members) {
      const id = pid();
      if (id !== null) writeFileSync(join(group.folder, 'cgroup.procs'), String(id));
    }
  });
  return {
    async stop() {
      await stop();
      // The processes must be able to end, and a group with processes cannot be removed.
      group.limit(unlimited);
      const parent = join(group.folder, '..', 'cgroup.procs');
      for (const id of readFileSync(join(group.folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) {
        writeFileSync(parent, id);
      }
      rmdirSync(group.folder);
    },
  };
}

/** Runs `count` endless loops next to the stack. */
export function keepBusy(count: number): Pressure {
  const loops: ChildProcess[] = Array.from({ length: count }, () =>
    // The loop ends with this process, whose pipe it reads between two rounds.
    spawn(process.execPath, ['-e', busyLoop], { stdio: ['pipe', 'ignore', 'ignore'] }),
  );
  return {
    async stop() {
      for (const loop of loops) loop.kill('SIGKILL');
    },
  };
}

const busyLoop = `process.stdin.on('end', () => process.exit()).resume();
const spin = () => { for (const end = Date.now() + 200; Date.now() < end; ); setImmediate(spin); };
spin();`;
