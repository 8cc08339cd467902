import { type Clock, ConfigurationError, type IdSource, type Logger, type RandomSource } from '#libs/domain';
import { describeAmqpUrl, probeAmqpNode } from '#libs/messaging/amqp';
import { createCloudProbes, type OpenStackConfig } from '#libs/openstack';
import { describePostgresUrl, postgresUrlsOf } from '#libs/postgres';
import { probeDatabase } from '#libs/store';
import type { Dependency, DependencyNode } from './dependency.ts';
import { probeMemcached } from './memcached-probe.ts';
import { type DependencyName, needsOf, type WatchTarget } from './required-by-target.ts';

/** Addresses of all dependencies. A null or empty one is not used by this installation and not watched. */
export interface DependencySources {
  /** With one host or several, of which one is the primary. */
  databaseUrl: string;
  /** One URL for every node of the cluster. */
  amqpUrls: readonly string[];
  /** First part of the names of exchanges. */
  amqpPrefix: string;
  cloud: OpenStackConfig | null;
  /** Really queries the history store. */
  probeHistory: (() => Promise<void>) | null;
  /** `host:port` of every node. */
  memcached: readonly string[];
}

export interface DependencyDeps {
  logger: Logger;
  clock: Clock;
  random: RandomSource;
  newUuid: IdSource;
}

/** Watched dependencies, and the end of the connections that probing keeps. */
export interface WatchedDependencies {
  dependencies: Dependency[];
  close(): Promise<void>;
}

const databaseLimitMs = 3000;
const otherLimitMs = 5000;
/** Drivers count pauses of this process too. Their limits are longer, and end probes that ignore their signal. */
const driverLimitFactor = 4;
const memcachedPort = 11_211;

/**
 * The dependencies of a target in this installation.
 * @param required value of VIGIL_GATE_REQUIRED. Empty for the defaults of the target
 * @throws ConfigurationError when a required dependency is not configured
 */
export function createDependencies(
  target: WatchTarget,
  sources: DependencySources,
  required: readonly string[],
  deps: DependencyDeps,
): WatchedDependencies {
  const cloud =
    sources.cloud && createCloudProbes(sources.cloud, { ...deps, timeoutMs: otherLimitMs * driverLimitFactor });
  const cloudNode = (name: 'keystone' | 'nova' | 'placement' | 'cinder'): DependencyNode[] =>
    cloud === null ? [] : [{ node: new URL(sources.cloud?.authUrl ?? '').host, probe: cloud[name] }];
  const nodes: Record<DependencyName, DependencyNode[]> = {
    postgresql: (postgresUrlsOf(sources.databaseUrl) ?? [sources.databaseUrl]).map(databaseNode),
    rabbitmq: sources.amqpUrls.map((url) => amqpNode(url, sources.amqpPrefix)),
    keystone: cloudNode('keystone'),
    nova: cloudNode('nova'),
    placement: cloudNode('placement'),
    cinder: cloudNode('cinder'),
    history: sources.probeHistory ? [{ node: 'history', probe: sources.probeHistory }] : [],
    memcached: sources.memcached.map((address) => memcachedNode(address, deps.newUuid)),
  };
  const dependencies: Dependency[] = [];
  for (const [name, isRequired] of needsOf(target, required)) {
    if (nodes[name].length > 0) dependencies.push(dependencyOf(name, isRequired, nodes[name]));
    else if (required.includes(name)) throw notConfigured(name);
  }
  return { dependencies, close: async () => cloud?.close() };
}

/**
 * A wrong password is not an outage. The process that needs the dependency, or was configured for it, reports it and
 * ends.
 */
function dependencyOf(name: DependencyName, required: boolean, nodes: DependencyNode[]): Dependency {
  const timeoutMs = name === 'postgresql' ? databaseLimitMs : otherLimitMs;
  return { name, required, mustFit: required || name === 'rabbitmq', timeoutMs, nodes };
}

function notConfigured(name: string): ConfigurationError {
  return new ConfigurationError([`VIGIL_GATE_REQUIRED names ${name}, which is not configured`]);
}

function databaseNode(url: string): DependencyNode {
  return {
    node: describePostgresUrl(url),
    probe: (signal) => probeDatabase(url, { signal, timeoutMs: databaseLimitMs * driverLimitFactor }),
  };
}

function amqpNode(url: string, prefix: string): DependencyNode {
  return {
    node: describeAmqpUrl(url),
    probe: (signal) => probeAmqpNode(url, { prefix, signal, timeoutMs: otherLimitMs * driverLimitFactor }),
  };
}

function memcachedNode(address: string, newUuid: IdSource): DependencyNode {
  const [host = '', port] = address.split(':');
  return {
    node: address,
    probe: (signal) => probeMemcached({ host, port: Number(port ?? memcachedPort) }, newUuid(), signal),
  };
}
