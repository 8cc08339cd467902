import { ConfigurationError } from '#libs/domain';
import type { ConfigurationCheck, commonEnv } from '#libs/service-kit/env';

/** Everything that can be watched. */
export const dependencyNames = [
  'postgresql',
  'rabbitmq',
  'keystone',
  'nova',
  'placement',
  'cinder',
  'history',
  'memcached',
] as const;

/** Name of something that can be watched. */
export type DependencyName = (typeof dependencyNames)[number];

/** Process on whose behalf dependencies are watched. */
export type WatchTarget = 'api' | 'engine' | 'applier' | 'scheduler' | 'all';

/** The targets, for messages and for the command line. */
export const watchTargets: readonly WatchTarget[] = ['api', 'engine', 'applier', 'scheduler', 'all'];

type Need = 'required' | 'optional';

/**
 * Needs of each kind of process. RabbitMQ is optional for workers: messages wait in the outbox, and pending work is in
 * the database. History is optional for the engine: audits that need it wait. memcached is optional: without it, cached
 * cloud properties are in the database.
 */
const needs: Record<WatchTarget, Partial<Record<DependencyName, Need>>> = {
  api: { postgresql: 'required', keystone: 'required', rabbitmq: 'optional', memcached: 'optional' },
  engine: {
    postgresql: 'required',
    keystone: 'required',
    nova: 'required',
    placement: 'required',
    rabbitmq: 'optional',
    cinder: 'optional',
    history: 'optional',
  },
  applier: {
    postgresql: 'required',
    keystone: 'required',
    nova: 'required',
    rabbitmq: 'optional',
    placement: 'optional',
    cinder: 'optional',
  },
  scheduler: { postgresql: 'required', rabbitmq: 'optional' },
  all: {
    postgresql: 'required',
    rabbitmq: 'required',
    keystone: 'required',
    nova: 'required',
    placement: 'required',
    cinder: 'required',
    history: 'required',
    memcached: 'optional',
  },
};

/**
 * Watched dependencies of a target, and whether each is required. `chosen` (VIGIL_GATE_REQUIRED) replaces the required
 * defaults unless it is empty.
 * @throws ConfigurationError when it names a dependency that cannot be watched
 */
export function needsOf(target: WatchTarget, chosen: readonly string[]): Map<DependencyName, boolean> {
  for (const name of chosen) {
    if ((dependencyNames as readonly string[]).includes(name)) continue;
    throw new ConfigurationError([`VIGIL_GATE_REQUIRED: "${name}" is none of ${dependencyNames.join(', ')}`]);
  }
  const watched = dependencyNames.filter((name) => needs[target][name] !== undefined || chosen.includes(name));
  const isRequired = (name: DependencyName) =>
    chosen.length > 0 ? chosen.includes(name) : needs[target][name] === 'required';
  return new Map(watched.map((name) => [name, isRequired(name)]));
}

/** Whether `VIGIL_GATE_REQUIRED` names watchable dependencies of a target. */
export function gateCheck(target: WatchTarget): ConfigurationCheck<Pick<typeof commonEnv, 'VIGIL_GATE_REQUIRED'>> {
  return { reads: ['VIGIL_GATE_REQUIRED'], check: ({ VIGIL_GATE_REQUIRED: names }) => needsOf(target, names) };
}
