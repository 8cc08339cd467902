import { type Clock, createRandom, type IdSource, type Logger, messageOf } from '#libs/domain';
import { amqpUrlsOf } from '#libs/messaging/amqp';
import type { OpenStackConfig } from '#libs/openstack';
import { addPostgresHosts } from '#libs/postgres';
import type { Metrics, Teardown } from '#libs/service-kit';
import type { commonEnv, EnvValues } from '#libs/service-kit/env';
import { createDependencies, type DependencySources } from './create-dependencies.ts';
import type { GateReport, NodeReport } from './dependency.ts';
import { createDependencyMetrics } from './dependency-metrics.ts';
import { type DependencyWatch, type WatchTiming, watchDependencies } from './dependency-watch.ts';
import { startGate, type WatchedGate } from './gate.ts';
import { type KnownEndpoints, knownHostsOf, readKnownEndpoints, writeKnownEndpoints } from './known-endpoints.ts';
import type { WatchTarget } from './required-by-target.ts';

/** How the address of a node is found in its name. */
const hostOf: Record<string, (node: string) => string> = {
  postgresql: (node) => node.replace(/\/.*/, ''),
  rabbitmq: (node) => new URL(node).host,
};

/** Part of a process that watching on its behalf needs. */
export interface WatchContext {
  env: EnvValues<typeof commonEnv>;
  logger: Logger;
  metrics: Metrics;
  clock: Clock;
  newUuid: IdSource;
  teardown: Teardown;
}

/** Settings that only the process knows. */
export interface WatchOptions {
  databaseUrl: string;
  cloud?: OpenStackConfig | null;
  probeHistory?: () => Promise<void>;
  memcached?: readonly string[];
}

/** The timing that the configuration requests. */
function timingOf(env: EnvValues<typeof commonEnv>): WatchTiming {
  return {
    everyMs: env.VIGIL_GATE_PERIOD_SECONDS * 1000,
    tries: env.VIGIL_GATE_TRIES,
    retryMs: env.VIGIL_GATE_RETRY_SECONDS * 1000,
  };
}

/** Addresses of the dependencies, from the configuration and the last working ones. */
async function sourcesOf(
  env: EnvValues<typeof commonEnv>,
  options: WatchOptions,
): Promise<DependencySources & { amqpNodes: string[] }> {
  const path = env.VIGIL_KNOWN_ENDPOINTS_PATH;
  const known = path ? await readKnownEndpoints(path) : {};
  const amqpNodes = [...new Set([...env.VIGIL_AMQP_NODES, ...(known.rabbitmq ?? [])])];
  return {
    databaseUrl: addPostgresHosts(options.databaseUrl, knownHostsOf(options.databaseUrl, known.postgresql ?? [])),
    amqpUrls: env.VIGIL_AMQP_URL ? amqpUrlsOf(env.VIGIL_AMQP_URL, amqpNodes) : [],
    amqpNodes,
    amqpPrefix: env.VIGIL_AMQP_PREFIX,
    cloud: options.cloud ?? null,
    probeHistory: options.probeHistory ?? null,
    memcached: options.memcached ?? [],
  };
}

/** A watch of the dependencies of a target, and the settings that follow from the configuration. */
export interface ConfiguredWatch {
  watch: DependencyWatch;
  /** Adds the servers that worked last to those of the configuration. */
  databaseUrl: string;
  /** Nodes of the RabbitMQ cluster besides that of VIGIL_AMQP_URL, as `host:port`. */
  amqpNodes: string[];
}

/**
 * The configured watch. The connections of its probes end with the teardown.
 * @throws OperatorError when VIGIL_GATE_REQUIRED names a dependency that cannot be watched
 */
export async function createConfiguredWatch(
  target: WatchTarget,
  context: WatchContext,
  options: WatchOptions,
): Promise<ConfiguredWatch> {
  const { env, logger, clock, newUuid, teardown } = context;
  const sources = await sourcesOf(env, options);
  const random = createRandom(clock.now());
  const watched = createDependencies(target, sources, env.VIGIL_GATE_REQUIRED, { logger, clock, random, newUuid });
  teardown.add('probes', watched.close);
  const metrics = createDependencyMetrics(context.metrics);
  const { dependencies } = watched;
  const watch = watchDependencies({ dependencies, timing: timingOf(env), clock, random, logger, metrics });
  return { watch, databaseUrl: sources.databaseUrl, amqpNodes: sources.amqpNodes };
}

/** Starts to watch on behalf of a process. The teardown ends it, after everything that is started behind the gate. */
export async function watchForProcess(
  target: WatchTarget,
  context: WatchContext,
  options: WatchOptions,
): Promise<Omit<ConfiguredWatch, 'watch'> & { gate: WatchedGate }> {
  const { watch, ...addresses } = await createConfiguredWatch(target, context, options);
  const gate = startGate(watch);
  context.teardown.add('gate', gate.stop);
  const path = context.env.VIGIL_KNOWN_ENDPOINTS_PATH;
  if (path) rememberEndpoints(gate, path, context.logger);
  return { gate, ...addresses };
}

/**
 * Keeps the addresses of the working brokers and database servers, standbys included, in a file, written only when they
 * change. A dependency without a working server keeps its former addresses.
 */
function rememberEndpoints(gate: Pick<WatchedGate, 'onReport'>, path: string, logger: Logger): void {
  let known: KnownEndpoints = {};
  let writing = Promise.resolve();

  gate.onReport((report) => {
    const working: KnownEndpoints = { ...known, ...workingEndpoints(report) };
    if (JSON.stringify(working) === JSON.stringify(known)) return;
    known = working;
    writing = writing
      .then(() => writeKnownEndpoints(path, working))
      .catch((error: unknown) => logger.info({ path, error: messageOf(error) }, 'cannot store known endpoints'));
  });
}

function workingEndpoints({ dependencies }: GateReport): KnownEndpoints {
  const works = ({ up, readable }: NodeReport) => up || readable;
  const found = Object.entries(hostOf).map(([name, host]): [string, string[]] => {
    const nodes = dependencies.find((dependency) => dependency.name === name)?.nodes ?? [];
    return [name, nodes.filter(works).map(({ node }) => host(node))];
  });
  return Object.fromEntries(found.filter(([, hosts]) => hosts.length > 0));
}
