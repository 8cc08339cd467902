import { randomUUID } from 'node:crypto';
import { actionCatalogue } from '#libs/actions';
import type { Clock, Logger } from '#libs/domain';
import { goalCatalogue } from '#libs/goals';
import { createMessageBus } from '#libs/messaging/connect';
import { type Cloud, createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { plannerCatalogue } from '#libs/planners';
import { createPluginRegistry, loadConfiguredPlugins } from '#libs/plugin-kit';
import { scoringCatalogue } from '#libs/scoring';
import { findOtherWriterWithin } from '#libs/service-kit';
import { commonEnv, list, parseEnv, text } from '#libs/service-kit/env';
import { createStore, type Store, schemaStatus } from '#libs/store';
import { strategyCatalogue } from '#libs/strategies';
import type { Check, Finding } from './run-checks.ts';

interface Deps {
  logger: Logger;
  clock: Clock;
}

/** Age in seconds at which an unsent message is a fault. */
const oldMessageSeconds = 300;
const success: Finding = { result: 'Success' };

const env = {
  ...commonEnv,
  VIGIL_PLUGINS: list({ description: 'As that of the decision engine.' }),
  VIGIL_POLICY_FILE: text({ description: 'As that of the API.' }),
};

/** Watcher's checks, and those of the other requirements of this version, for the environment of the processes. */
export function upgradeChecks(source: NodeJS.ProcessEnv, deps: Deps): Check[] {
  const values = parseEnv(env, source);
  const databaseUrl = values.VIGIL_DATABASE_URL;
  const needUrl = () => {
    if (!databaseUrl) throw new Error('VIGIL_DATABASE_URL is not set');
    return databaseUrl;
  };
  const withStore = async (work: (store: Store) => Promise<Finding>) => {
    const store = await createStore({ url: needUrl(), logger: deps.logger, applicationName: 'vigil-status' });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  const withCloud = async (work: (cloud: Cloud) => Promise<unknown>): Promise<Finding> => {
    const cloud = createOpenStackCloud(openStackConfigFromEnv(source), deps);
    try {
      await work(cloud);
      return success;
    } finally {
      await cloud.close();
    }
  };
  return [
    { name: 'Minimum Nova API Version', run: () => withCloud(useNova) },
    { name: 'Policy File JSON to YAML Migration', run: async () => policyFile(values.VIGIL_POLICY_FILE) },
    { name: 'Database Schema', run: () => schema(needUrl(), deps.logger) },
    { name: 'Database Is Primary', run: () => withStore((store) => store.probe().then(() => success)) },
    { name: 'Plans Without Applier', run: () => withStore(plansWithoutLease) },
    { name: 'Unsent Messages', run: () => withStore(unsentMessages) },
    { name: 'Message Bus', run: () => messageBus({ ...values, databaseUrl: needUrl() }, deps.logger) },
    { name: 'Plugins', run: () => plugins(values.VIGIL_PLUGINS) },
    { name: 'Identity', run: () => withCloud((cloud) => cloud.identity.token()) },
    { name: 'Placement', run: () => withCloud((cloud) => cloud.placement.listResourceProviders()) },
    { name: 'Block Storage', run: () => asWarning(withCloud((cloud) => cloud.volume.listVolumes())) },
  ];
}

/** Reads with the newest microversion that Vigil requires (2.59, which covers Watcher's 2.56). */
async function useNova({ compute }: Cloud): Promise<void> {
  await compute.listServices();
  await compute.listMigrations({ serverUuid: randomUUID() });
}

function policyFile(path: string | undefined): Finding {
  if (!path?.toLowerCase().endsWith('.json')) return success;
  return {
    result: 'Failure',
    details: `${path} is a JSON file: convert it to YAML and name that in VIGIL_POLICY_FILE`,
  };
}

async function schema(url: string, logger: Logger): Promise<Finding> {
  const { state, pending, unknown } = await schemaStatus(url, { logger });
  if (state === 'current' || state === 'ahead') return success;
  const details =
    state === 'newer'
      ? `the database has migrations of a newer version: ${unknown.join(', ')}`
      : `run: vigil db upgrade (missing: ${pending.join(', ')})`;
  return { result: 'Failure', details };
}

async function plansWithoutLease(store: Store): Promise<Finding> {
  const stranded = await store.db.actionPlans.findClaimable({ pendingMs: 3_600_000, limit: 20 });
  const lost = stranded.filter(({ expired }) => expired).map(({ uuid }) => uuid);
  if (lost.length === 0) return success;
  return { result: 'Failure', details: `no applier holds these plans: ${lost.join(', ')}; start one, or cancel them` };
}

async function unsentMessages(store: Store): Promise<Finding> {
  const { count, oldestSeconds } = await store.outboxQueue.backlog();
  if (oldestSeconds <= oldMessageSeconds) return success;
  const age = Math.round(oldestSeconds);
  return {
    result: 'Failure',
    details: `${count} messages wait, the oldest for ${age} s: is the message bus reachable?`,
  };
}

async function messageBus(
  values: { VIGIL_AMQP_URL?: string; VIGIL_AMQP_NODES: string[]; VIGIL_AMQP_PREFIX: string; databaseUrl: string },
  logger: Logger,
): Promise<Finding> {
  const bus = await createMessageBus({
    amqpUrl: values.VIGIL_AMQP_URL,
    amqpNodes: values.VIGIL_AMQP_NODES,
    databaseUrl: values.databaseUrl,
    logger,
    prefix: values.VIGIL_AMQP_PREFIX,
    appId: randomUUID(),
  });
  try {
    await bus.probe();
    return success;
  } finally {
    await bus.close();
  }
}

/** Each plugin loads in a separate thread, as in processes, so a plugin that hangs or exits fails only the check. */
async function plugins(names: readonly string[]): Promise<Finding> {
  const registry = createPluginRegistry();
  const catalogues = {
    goals: goalCatalogue,
    planners: plannerCatalogue,
    actions: actionCatalogue,
    scoring: scoringCatalogue,
    strategies: strategyCatalogue,
  };
  for (const [lib, catalogue] of Object.entries(catalogues)) {
    registry.add(catalogue, { label: 'vigil', moduleUrl: `#libs/${lib}`, exportName: 'catalogue' });
  }
  const { faults } = await loadConfiguredPlugins(names, registry, {
    strict: false,
    verify: true,
    findOtherWriter: findOtherWriterWithin,
  });
  if (faults.length === 0) return success;
  return { result: 'Failure', details: faults.map(({ plugin, reason }) => `plugin ${plugin}: ${reason}`).join('; ') };
}

/** A cloud without the service can still be optimized. */
async function asWarning(check: Promise<Finding>): Promise<Finding> {
  try {
    return await check;
  } catch (error) {
    const details = `volumes cannot be moved: ${error instanceof Error ? error.message : String(error)}`;
    return { result: 'Warning', details };
  }
}
