import type { RandomSource } from '#libs/domain';
import type { CodePatch } from '../stack/code-patch.ts';
import type { Role } from '../stack/members.ts';
import type { StackServers } from '../stack/servers.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { writeChaosWorld } from './world.ts';

/** Default length of the leases of appliers and engines, in seconds. Short, so that many kills fit into a run. */
export const shortLeaseSeconds = 5;
/** Speed of the simulated cloud, as a multiple of real time. */
const speed = 30;

/**
 * A stack that the schedule disturbs. The test's own connections are affected only by disturbances of servers and APIs.
 */
export interface ChaosStack extends Stack {
  leaseSeconds: number;
}

/** Options of a stack. */
export interface ChaosStackOptions {
  servers: StackServers;
  random: RandomSource;
  /** Lease of appliers and engines, in seconds. All other periods keep their default proportion to it. */
  leaseSeconds: number;
  onTrouble(text: string): void;
  /** Members of each role. Default 2. */
  members?: Partial<Record<Role, number>>;
  /** Whether the clocks of processes are wrong. Default true. */
  skewed?: boolean;
  /** Additional environment of every process. */
  env?: NodeJS.ProcessEnv;
  /** Protections to remove from the code of appliers. */
  patches?: readonly CodePatch[];
}

const twoOfEach: Record<Role, number> = { api: 2, 'decision-engine': 2, applier: 2, coordinator: 2, scheduler: 2 };
/** Seconds by which clocks are ahead. A value's number of entries is its weight. */
const clockOffsets = [0, 0, 0, 0.7, -0.7, 20, -20, 600, -600];

/** Starts database, broker, cloud and all processes. Resolves when all are ready. */
export async function startChaosStack(options: ChaosStackOptions): Promise<ChaosStack> {
  const { random, leaseSeconds, servers } = options;
  const members = options.members ?? twoOfEach;
  const world = await writeChaosWorld();
  const starting = startStack({
    servers,
    name: 'chaos',
    simulator: ['--speed', String(speed), '--backfill-minutes', '0', '--world', world.path],
    members,
    env: {
      ...periodsOf(leaseSeconds),
      VIGIL_APPLIER_WORKERS: '8',
      VIGIL_APPLIER_TIME_SCALE: String(speed),
      VIGIL_APPLIER_MAX_TAKEOVERS: '1000',
      VIGIL_AUDIT_MAX_ATTEMPTS: '100',
      VIGIL_OUTCOME_DELAY_SECONDS: '1',
      VIGIL_OUTCOME_BEFORE_SECONDS: '5',
      ...options.env,
    },
    restartMs: () => 100 + random() * 900,
    clockOffsetMs: () =>
      options.skewed === false ? 0 : 1000 * (clockOffsets[Math.floor(random() * clockOffsets.length)] ?? 0),
    // Only appliers run patched code: a patched program takes ten times as long to load.
    patchesOf: (role) => (role === 'applier' ? (options.patches ?? []) : []),
    onTrouble: options.onTrouble,
  });
  return { ...(await starting.finally(() => world.remove())), leaseSeconds };
}

/** With the default lease of 30 s all of these have their defaults. */
function periodsOf(leaseSeconds: number): NodeJS.ProcessEnv {
  const share = (part: number, least: number) => String(Math.max(least, Math.round(leaseSeconds * part)));
  return {
    VIGIL_APPLIER_LEASE_SECONDS: String(leaseSeconds),
    VIGIL_LEASE_SECONDS: String(leaseSeconds),
    VIGIL_APPLIER_POLL_SECONDS: share(1 / 6, 1),
    VIGIL_AUDIT_POLL_SECONDS: share(1 / 6, 1),
    VIGIL_GATE_PERIOD_SECONDS: share(1 / 6, 1),
    VIGIL_COORDINATOR_LEASE_SECONDS: share(1 / 2, 2),
    VIGIL_COORDINATOR_POLL_SECONDS: share(1 / 15, 1),
    VIGIL_OPENSTACK_TIMEOUT_MS: String(leaseSeconds * 1000),
  };
}
