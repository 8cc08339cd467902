import { type Clock, silentLogger } from '#libs/domain';
import type { WorldFile, WorldServer } from '#libs/world-file';
import { createSimulation, type Simulation, type SimulationOptions } from '../create-simulation.ts';
import { type RunningSimulator, startSimulator } from '../start-simulator.ts';

/** Ids from 00000000-0000-4000-8000-000000000001 on. */
export function countingUuids(): () => string {
  let last = 0;
  return () => `00000000-0000-4000-8000-${String(++last).padStart(12, '0')}`;
}

/** A stopped wall clock that tests move. */
export function createManualClock(now = Date.parse('2026-06-01T12:00:00Z')): { now(): number; move(ms: number): void } {
  let at = now;
  return {
    now: () => at,
    move(ms) {
      at += ms;
    },
  };
}

/** Three hosts (8 vCPUs, 16 GiB) with 1,000 MiB/s. `servers` have the given placement, and are idle by default. */
export function smallWorld(servers: Partial<WorldServer>[] = [{}], changes: Partial<WorldFile> = {}): WorldFile {
  return {
    format: 'vigil-simulator-world',
    version: 1,
    name: 'small',
    storage: 'shared',
    hosts: [1, 2, 3].map((number) => ({
      hostname: `compute-${number}`,
      vcpus: 8,
      memory_mb: 16_384,
      disk_gb: 500,
      reserved_memory_mb: 0,
      migration_bandwidth_mib: 1000,
    })),
    flavors: [
      { name: 'small', id: 'small', vcpus: 1, ram_mb: 2000, disk_gb: 10 },
      { name: 'large', id: 'large', vcpus: 6, ram_mb: 8000, disk_gb: 80 },
    ],
    servers: servers.map((server, index) => ({
      name: `vm-${index + 1}`,
      flavor: 'small',
      host: 'compute-1',
      load: { kind: 'steady', base: 0, noise: 0, memory: 1 },
      ...server,
    })),
    ...changes,
  };
}

/** A simulation in real time (speed 1) whose clock the test controls. `pass` advances simulated seconds. */
export function manualSimulation(
  world: WorldFile = smallWorld(),
  options: SimulationOptions = {},
): { simulation: Simulation; pass(seconds: number): void } {
  const clock = createManualClock();
  const simulation = createSimulation({ world, clock, newUuid: countingUuids() }, { speed: 1, ...options });
  return {
    simulation,
    pass(seconds) {
      clock.move(seconds * 1000);
      simulation.progression.advance();
    },
  };
}

/** A served simulation without history, and a client for it. */
export interface ServedSimulation {
  simulator: RunningSimulator;
  /** Sends one request. `as` logs a user in first (default admin), null sends no token. */
  request(
    method: string,
    path: string,
    options?: {
      body?: unknown;
      as?: string | null;
      version?: string;
      headers?: Record<string, string>;
      signal?: AbortSignal;
    },
  ): Promise<{ status: number; body: unknown; headers: Headers }>;
}

/** Serves a world on a free port, by default at speed 1 with the clock of the computer. */
export async function serveSimulation(
  world: WorldFile,
  options: SimulationOptions = {},
  clock: Clock = { now: () => Date.now() },
): Promise<ServedSimulation> {
  const deps = { world, writer: null, clock, newUuid: () => crypto.randomUUID(), logger: silentLogger };
  const simulator = await startSimulator(deps, { speed: 1, optimizerUrl: 'http://127.0.0.1:9322', ...options });
  const tokens = new Map<string, string>();

  async function tokenFor(name: string): Promise<string> {
    const { directory } = simulator.simulation;
    const user = directory.userByName(name);
    const project = directory.projects.get(user?.defaultProjectId ?? '')?.name ?? '';
    const response = await login(simulator.url, { name, password: user?.password ?? '', project });
    return response.headers.get('x-subject-token') ?? '';
  }
  return {
    simulator,
    async request(method, path, { body, as = 'admin', version, headers = {}, signal } = {}) {
      if (as !== null && !tokens.has(as)) tokens.set(as, await tokenFor(as));
      const service = path.split('/')[1];
      const response = await fetch(`${simulator.url}${path}`, {
        method,
        headers: {
          ...(as === null ? {} : { 'x-auth-token': tokens.get(as) ?? '' }),
          ...(version === undefined ? {} : { 'openstack-api-version': `${service} ${version}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers };
    },
  };
}

/** Logs in with a password. */
export function login(url: string, user: { name: string; password: string; project: string }): Promise<Response> {
  const domain = { id: 'default' };
  const identity = { methods: ['password'], password: { user: { name: user.name, domain, password: user.password } } };
  return fetch(`${url}/identity/v3/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: { identity, scope: { project: { name: user.project, domain } } } }),
  });
}
