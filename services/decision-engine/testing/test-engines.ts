import { randomUUID } from 'node:crypto';
import type { ComputeSnapshot } from '#libs/cluster-model';
import { type ApprovalRule, type IdSource, type Logger, type OppositeAuditsMode, silentLogger } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import type { PluginRegistry, PluginSource } from '#libs/plugin-kit';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createMetrics, systemClock } from '#libs/service-kit';
import type { AuditView, LeaseRequest, Store } from '#libs/store';
import { atEnd, insertAudit, requireBuild, useStore } from '#tests';
import type { Rests } from '../audit-runner/audit-context.ts';
import { type AuditRunner, createAuditRunner } from '../audit-runner/audit-runner.ts';
import type { ComputePlanDeps } from '../audit-runner/plan-task.ts';
import { builtInPlugins } from '../built-in-plugins.ts';
import { syncCatalogue } from '../catalogue-sync/sync-catalogue.ts';
import { createModelKeeper } from '../model/model-keeper.ts';
import { createStrategyRunner } from '../strategy-runner/strategy-runner.ts';

/** Rests and budgets of moves default to 0. */
export interface EngineOptions extends Rests {
  /** Default `engine-1`. */
  instance?: string;
  /** Default: that of `TestEngines`. */
  store?: Store;
  /** Default: the world of `TestEngines`. */
  collect?: () => Promise<ComputeSnapshot>;
  leaseMs?: number;
  maxAttempts?: number;
  /** Default `allow`. */
  oppositeAudits?: OppositeAuditsMode;
  /** Default none. */
  approvalRules?: readonly ApprovalRule[];
  /** Default: random ones. */
  newUuid?: IdSource;
  /** In milliseconds. Default two minutes. */
  strategyTimeLimitMs?: number;
  /** Of the runner. Default: silent. */
  logger?: Logger;
  /** Where plugins are loaded from. Default: the registry of `TestEngines`. */
  source?: PluginRegistry['source'];
}

/**
 * Decision engines on a real database and real threads, on an invented cloud: host `busy` with four instances, host
 * `idle`.
 */
export interface TestEngines {
  databaseUrl: string;
  store: Store;
  registry: PluginRegistry;
  /** World that the engines see. Tests may put another there. */
  world: { snapshot: ComputeSnapshot; loads: Map<string, number> };
  /** Puts the first world back. */
  reset(): void;
  /** Collaborators for computing a plan, for parts that are tested without a runner. */
  planDeps(options?: EngineOptions): ComputePlanDeps;
  start(options?: EngineOptions): { runner: AuditRunner; lease: LeaseRequest };
  /** The registry with one plugin of a kind, from the fixtures of the strategy runner, for all names. */
  withFixture(kind: PluginSource['kind'], name: string): EngineOptions['source'];
  newAudit(strategy: string, change?: Partial<AuditView>): Promise<AuditView>;
  /** The audit once it fits, or its last row after two minutes. */
  until(uuid: string, fits: (audit: AuditView) => boolean): Promise<AuditView>;
  /** The audit once it is neither PENDING nor ONGOING. */
  ended(uuid: string): Promise<AuditView>;
  stopRunners(): Promise<void>;
}

export async function useTestEngines(): Promise<TestEngines> {
  requireBuild();
  const { store, url } = await useStore();
  const registry = builtInPlugins();
  const plugins = { goals: registry.goals(), strategies: registry.strategies() };
  await syncCatalogue(store, plugins, { newUuid: randomUUID, logger: silentLogger });
  const threads = createStrategyRunner({ threads: 2, logger: silentLogger, actions: registry.actions() });
  const world = busyWorld();
  let runners: AuditRunner[] = [];

  async function until(uuid: string, fits: (audit: AuditView) => boolean): Promise<AuditView> {
    const giveUp = Date.now() + 120_000;
    for (;;) {
      const audit = await store.db.audits.get(uuid);
      if (fits(audit) || Date.now() > giveUp) return audit;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  function planDeps(options: EngineOptions = {}): ComputePlanDeps {
    const { source = registry.source } = options;
    return {
      registry: { ...registry, source },
      model: createModelKeeper({
        collect: options.collect ?? (async () => world.snapshot),
        clock: systemClock,
        logger: silentLogger,
        metrics: createMetrics('test'),
      }),
      history: historyOf(world),
      runner: threads,
      clock: systemClock,
      newUuid: options.newUuid ?? randomUUID,
      logger: silentLogger,
      options: {
        modelMaxAgeMs: 0,
        strategyTimeLimitMs: options.strategyTimeLimitMs ?? 120_000,
        oppositeAudits: options.oppositeAudits,
        ...(options.approvalRules && { approvalRules: options.approvalRules }),
        limits: { parallelMigrations: 4, parallelPerSourceHost: 2, parallelPerDestinationHost: 2 },
      },
    };
  }

  async function stopRunners(): Promise<void> {
    await Promise.all(runners.map((runner) => runner.stop()));
    runners = [];
  }

  atEnd(async () => {
    await stopRunners();
    await threads.close();
  });
  return {
    databaseUrl: url,
    store,
    registry,
    world,
    reset: () => Object.assign(world, busyWorld()),
    planDeps,
    start(options = {}) {
      const instance = options.instance ?? 'engine-1';
      const lease = { instance, host: `host-of-${instance}`, ttlMs: options.leaseMs ?? 60_000 };
      const runner = createAuditRunner({
        ...planDeps(options),
        ...(options.logger && { logger: options.logger }),
        store: options.store ?? store,
        metrics: createMetrics('test'),
        lease,
        workers: 2,
        maxAttempts: options.maxAttempts ?? 3,
        coolDownMs: options.coolDownMs,
        oppositeRestMs: options.oppositeRestMs,
        instanceMovesPerDay: options.instanceMovesPerDay,
        hostMovesPerHour: options.hostMovesPerHour,
        cloudMovesPerHour: options.cloudMovesPerHour,
        backOffMs: options.backOffMs,
        refusalRestMs: options.refusalRestMs,
      });
      runners.push(runner);
      return { runner, lease };
    },
    withFixture(kind, name) {
      const moduleUrl = new URL('../strategy-runner/testing/strategies.js', import.meta.url).href;
      return (wanted, known) =>
        wanted === kind ? { kind: wanted, name, moduleUrl, exportName: 'plugins' } : registry.source(wanted, known);
    },
    async newAudit(strategyName, change = {}) {
      return insertAudit(store.db, await store.db.strategies.get(strategyName), () => change);
    },
    until,
    ended: (uuid) => until(uuid, ({ state }) => !['PENDING', 'ONGOING'].includes(state)),
    stopRunners,
  };
}

function busyWorld(): TestEngines['world'] {
  const hosts = ['busy', 'idle'].map((hostname) => ({ hostname, vcpus: 16, memory: 65_536, disk: 1000 }));
  const instances = [0, 1, 2, 3].map((index) => ({
    name: `vm-${index}`,
    host: 'busy',
    vcpus: 4,
    memory: 4096,
    disk: 10,
  }));
  const snapshot = createTestWorld({ hosts, instances, takenAtMs: Date.now() });
  const loads = new Map([['busy', 80], ['idle', 2], ...snapshot.instanceInfo.map(({ uuid }) => [uuid, 80] as const)]);
  return { snapshot, loads };
}

/** History in which every metric has the value of `loads`. */
function historyOf(world: TestEngines['world']): HistoryReader {
  return {
    name: 'test',
    aggregate: async () => world.loads,
    series: async () => [],
    listMetrics: async () => ['host_cpu_usage', 'instance_cpu_usage'],
    probe: async () => undefined,
    close: async () => undefined,
  };
}
