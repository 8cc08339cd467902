import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { createVigilClient, type VigilClient } from '#libs/client';
import { findFreePorts } from '#libs/service-kit/embedded';
import type { ContainerEngine } from './container-engine.ts';

const composeFile = 'docker-compose.yml';
/** Compose's default, for services that set none. */
const defaultGraceSeconds = 10;
const healthyWithinMs = 300_000;
const world = 'hosts=6,instances=48,seed=7,skew=3';

interface ComposeService {
  image: string;
  build?: string;
  healthcheck?: { test: string[] };
  stop_grace_period?: string;
}

/** One service of docker-compose.yml as a container. */
export interface ComposedService {
  name: string;
  /** Whether it runs our image. */
  isOurs: boolean;
  /** Seconds from the stop signal to the kill. */
  graceSeconds: number;
  /** Whether it runs until it is stopped. The job that makes the schema ends before. */
  lasts: boolean;
}

/** The services of docker-compose.yml, with a simulated cloud. */
export interface ComposedStack {
  services: readonly ComposedService[];
  /** Through the published port of the API. */
  client: VigilClient;
  /** Runs a command in the container of a service. Returns its output. */
  execute(service: string, ...command: string[]): Promise<string>;
  /** A field of the container as `inspect` shows it, such as `.State.ExitCode`. */
  inspect(service: string, field: string): Promise<string>;
  /** Waits until the service's health check passes. Returns the seconds. @throws Error with the output of the check */
  awaitHealth(service: string): Promise<number>;
  /** Stops the container. Returns the seconds. */
  stop(service: string): Promise<number>;
  start(service: string): Promise<void>;
  /** Stops the container, removes it, and has Compose make another one. */
  replace(service: string): Promise<void>;
  /**
   * Runs our image once more in the network of the others, as a service of this name, until `remove`.
   * @param options of the engine's `run`.
   */
  add(name: string, options: readonly string[], command: readonly string[]): Promise<void>;
  /** Stops and removes the added container. Returns its exit code. */
  remove(name: string): Promise<string>;
  /** Removes containers, networks and volumes. */
  down(): Promise<void>;
}

const { services: composed } = parse(readFileSync(composeFile, 'utf8'), { merge: true }) as {
  services: Record<string, ComposeService>;
};
/** The tag that docker-compose.yml gives our image. */
export const imageTag = composed.api?.image ?? '';

/**
 * Starts all services, and waits until they are healthy.
 * @throws Error with the output of Compose or of a health check
 */
export async function startComposedStack(
  containers: ContainerEngine,
  log: (line: string) => void,
): Promise<ComposedStack> {
  const [apiPort = 0, cloudPort = 0] = await findFreePorts(2);
  const project = `vigil-image-${randomUUID().slice(0, 8)}`;
  const folder = mkdtempSync(join(tmpdir(), 'vigil-image-'));
  const override = join(folder, 'simulated-cloud.yml');
  writeFileSync(override, overrideFile(apiPort, cloudPort));
  const names = Object.keys(composed);
  const compose = (...args: string[]) =>
    containers.compose(['-f', composeFile, '-f', override, '-p', project, ...args], secrets);
  const up = (...services: string[]) => compose('up', ...containers.detached, ...services);
  const containerOf = (service: string) => `${project}-${service}-1`;
  const execute = (service: string, ...command: string[]) =>
    containers.engine('exec', containerOf(service), ...command);

  const inspect = (service: string, field: string) =>
    containers.engine('inspect', '--format', `{{${field}}}`, containerOf(service));

  const awaitHealth = async (service: string) => {
    const [kind, ...command] = composed[service]?.healthcheck?.test ?? [];
    if (kind !== 'CMD') throw new Error(`${service} has no health check that is a command`);
    const started = performance.now();
    for (;;) {
      try {
        await execute(service, ...command);
        return (performance.now() - started) / 1000;
      } catch (error) {
        if (performance.now() - started > healthyWithinMs) throw error;
        await sleep(500);
      }
    }
  };
  const stop = async (service: string) => {
    const started = performance.now();
    // More than the allowed time: a killed service shows by its exit code, a slow one by its seconds.
    await containers.engine('stop', '-t', String(graceOf(service) + 5), containerOf(service));
    return (performance.now() - started) / 1000;
  };
  const added = new Set<string>();
  const remove = async (name: string) => {
    added.delete(name);
    await stop(name);
    const code = await inspect(name, '.State.ExitCode');
    await containers.engine('rm', containerOf(name));
    return code;
  };
  const down = async () => {
    for (const name of added) await remove(name);
    await compose('down', '--volumes');
    rmSync(folder, { recursive: true });
  };

  const services = names.map((name) => ({
    name,
    isOurs: composed[name]?.build !== undefined,
    graceSeconds: graceOf(name),
    lasts: composed[name]?.healthcheck !== undefined,
  }));
  try {
    await up(...names, 'simulator');
    for (const { name, lasts } of services) {
      if (lasts) log(`${name} healthy after another ${(await awaitHealth(name)).toFixed(1)} s`);
    }
  } catch (error) {
    const logs = await Promise.allSettled(names.map((name) => containers.engine('logs', containerOf(name))));
    for (const [index, one] of logs.entries())
      if (one.status === 'fulfilled') log(`--- ${names[index]}\n${one.value.split('\n').slice(-20).join('\n')}`);
    await down();
    throw error;
  }
  return {
    services,
    client: clientOf(apiPort, cloudPort),
    execute,
    inspect,
    awaitHealth,
    stop,
    async start(service) {
      await containers.engine('start', containerOf(service));
    },
    async replace(service) {
      await stop(service);
      await containers.engine('rm', containerOf(service));
      await up(service);
    },
    async add(name, options, command) {
      const place = ['--name', containerOf(name), '--network', `${project}_default`];
      await containers.engine('run', '--detach', ...place, ...options, imageTag, ...command);
      added.add(name);
    },
    remove,
    down,
  };
}

/** Used by this test only, and removed with its containers. */
const secrets: NodeJS.ProcessEnv = {
  VIGIL_DB_PASSWORD: 'test-db',
  VIGIL_AMQP_PASSWORD: 'test-amqp',
  // The simulated cloud writes its history into the database.
  VIGIL_PROMETHEUS_URL: '',
  OS_AUTH_URL: 'http://simulator:9390/identity/v3',
  OS_PASSWORD: 'vigil',
};

/** Differences from production: the cloud is simulated, and the published ports are free ones. */
function overrideFile(apiPort: number, cloudPort: number): string {
  const api = `  api:\n    ports: !override ["127.0.0.1:${apiPort}:9322"]`;
  return `services:
${api}
  simulator:
    image: ${imageTag}
    command: ["vigil", "simulator", "--host", "0.0.0.0", "--port", "9390", "--generate", "${world}"]
    environment:
      VIGIL_DATABASE_URL: postgres://vigil:\${VIGIL_DB_PASSWORD}@postgres:5432/vigil
      VIGIL_API_URL: http://api:9322
    ports: ["127.0.0.1:${cloudPort}:9390"]
    depends_on: { schema: { condition: service_completed_successfully } }
`;
}

function clientOf(apiPort: number, cloudPort: number): VigilClient {
  const domain = { name: 'Default' };
  return createVigilClient({
    url: `http://127.0.0.1:${apiPort}`,
    credentials: {
      kind: 'password',
      authUrl: `http://127.0.0.1:${cloudPort}/identity`,
      userName: 'admin',
      password: 'vigil',
      userDomain: domain,
      projectName: 'admin',
      projectDomain: domain,
    },
  });
}

function graceOf(service: string): number {
  const text = composed[service]?.stop_grace_period;
  if (text === undefined) return defaultGraceSeconds;
  const [, seconds] = /^(\d+)s$/.exec(text) ?? [];
  if (seconds === undefined) throw new Error(`${service}: stop_grace_period ${text} is not in seconds`);
  return Number(seconds);
}
