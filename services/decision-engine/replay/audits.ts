import { randomUUID } from 'node:crypto';
import {
  type AutomationFacts,
  aimOf,
  type Clock,
  InvalidInputError,
  type JsonObject,
  type MetricUse,
  mergesAims,
  nearestHint,
  type OppositeAuditsMode,
  oppositeAim,
  type StrategyAim,
  silentLogger,
} from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import type { PastActions, PlannedAction, PluginRegistry } from '#libs/plugin-kit';
import { createMetrics, type Metrics } from '#libs/service-kit';
import { strategyCatalogue } from '#libs/strategies';
import { computePlan } from '../audit-runner/compute-plan.ts';
import { automationFactsOf } from '../audit-runner/judge-automation.ts';
import { createMoveLedger, type MoveLimits } from '../audit-runner/move-ledger.ts';
import type { OppositeAudits } from '../audit-runner/opposite-audits.ts';
import type { ComputePlanDeps } from '../audit-runner/plan-task.ts';
import { builtInPlugins } from '../built-in-plugins.ts';
import { ServiceMissingError } from '../collectors/errors.ts';
import { createModelKeeper } from '../model/model-keeper.ts';
import { createStrategyRunner } from '../strategy-runner/strategy-runner.ts';
import type { DayCloud } from './day-cloud.ts';

/** A continuous audit of the whole cloud. */
export interface DayAudit {
  /** Text as given, for reports. */
  text: string;
  strategyName: string;
  goalName: string;
  parameters: JsonObject;
  aim: StrategyAim | null;
  /** Whether the aim can be merged with its opposite. */
  merges: boolean;
}

/** The defaults of the decision engine's settings, see docs/configuration.md. */
const settings = {
  strategyTimeLimitMs: 300_000,
  limits: { parallelMigrations: 0, parallelPerSourceHost: 2, parallelPerDestinationHost: 2 },
  migrationBudget: 500,
  modelMaxAgeMs: 10_000,
};

const defaultMoveLimits: Required<MoveLimits> = {
  coolDownMs: 1_800_000,
  oppositeRestMs: 86_400_000,
  instanceMovesPerDay: 4,
  hostMovesPerHour: 100,
  cloudMovesPerHour: 1000,
};

/**
 * Parses `strategy:parameter=value:…,strategy`. Values are JSON or plain text.
 * @throws InvalidInputError for an unknown strategy, with the nearest one, and for a parameter without a value.
 */
export function parseAudits(text: string): DayAudit[] {
  return text.split(',').map((one) => {
    const [name = '', ...settingTexts] = one.split(':');
    return dayAuditOf(name, Object.fromEntries(settingTexts.map((setting) => parameterOf(one, setting))), one);
  });
}

/**
 * Creates an audit with a built-in strategy. `text`: its name in reports, default that of the strategy.
 * @throws InvalidInputError for an unknown strategy, with the nearest one
 */
export function dayAuditOf(name: string, parameters: JsonObject, text = name): DayAudit {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name);
  if (strategy === undefined) {
    const hint = nearestHint(
      name,
      strategyCatalogue.map(({ manifest }) => manifest.name),
    );
    throw new InvalidInputError('strategy', `there is no strategy "${name}"${hint}`);
  }
  const { goal, parameters: schema } = strategy.manifest;
  return {
    text,
    strategyName: name,
    goalName: goal,
    parameters,
    aim: aimOf(schema, parameters),
    merges: mergesAims(schema),
  };
}

/**
 * Refuses an audit that moves volumes: a replay has neither volumes nor pools.
 * @throws InvalidInputError with the strategies of the goal that a replay supports
 */
export function refuseStorage({ strategyName, goalName, parameters }: DayAudit): void {
  const usesStorage = ({ manifest, modelsFor }: (typeof strategyCatalogue)[number], given: JsonObject) =>
    (modelsFor?.(given as never) ?? manifest.models).includes('storage');
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === strategyName);
  if (strategy === undefined || !usesStorage(strategy, parameters)) return;
  const ofGoal = strategyCatalogue.filter((other) => other.manifest.goal === goalName && !usesStorage(other, {}));
  const names = ofGoal.map(({ manifest }) =>
    manifest.name === strategyName ? `${strategyName} without volumes` : manifest.name,
  );
  const supported = names.length === 0 ? 'no strategy' : names.join(', ');
  throw new InvalidInputError(
    'strategy',
    `${strategyName} moves volumes, and a replay has none; of ${goalName}, a replay supports ${supported}`,
  );
}

/** Parses `NAME=VALUE`. The value is JSON or plain text. @throws InvalidInputError */
export function parameterOf(audit: string, text: string): [string, JsonObject[string]] {
  const [name = '', value] = text.split('=');
  if (value === undefined) throw new InvalidInputError('--audits', `"${text}" in "${audit}" must be PARAMETER=VALUE`);
  try {
    return [name, JSON.parse(value) as JsonObject[string]];
  } catch {
    return [name, value];
  }
}

/** The audits with the opposite aim, as the decision engine finds them. The list is in the order of their creation. */
export function oppositesOf(audit: DayAudit, audits: readonly DayAudit[]): OppositeAudits {
  const { aim } = audit;
  return {
    id: audits.indexOf(audit),
    audits: audits.flatMap((other, id) => {
      if (aim === null || other.aim !== oppositeAim[aim]) return [];
      const { text, goalName, strategyName, parameters } = other;
      const names = [audit, other].flatMap((one) => (one.merges ? [] : one.strategyName));
      const against = names.length === 0 ? null : names;
      return [{ id, uuid: text, name: text, scope: [], goalName, strategyName, parameters, aim: other.aim, against }];
    }),
  };
}

/** Proposal of a run, its numbers for the automation rules, and the measurements that it read. */
export interface DayPlan {
  actions: PlannedAction[];
  facts: AutomationFacts;
  metrics: MetricUse[];
}

/** Runs audits as the decision engine does: the same computation, in its worker threads. */
export interface DayEngine {
  run(
    audit: DayAudit,
    context: {
      cloud: Pick<DayCloud, 'snapshot' | 'baremetal'>;
      atMs: number;
      past: PastActions;
      moves: Parameters<typeof createMoveLedger>[0];
      opposites: OppositeAudits;
    },
  ): Promise<DayPlan>;
  close(): Promise<void>;
}

/** Deviations from the defaults of the decision engine. */
export interface DayEngineOptions {
  /** Plugins. Default: those of Vigil. */
  registry?: PluginRegistry;
  /** Limit of a strategy in milliseconds. Default: that of the configuration. */
  strategyTimeLimitMs?: number;
  /** Limit of the heap of a strategy in MiB. Default: that of the configuration. */
  memoryLimitMb?: number;
  /** Limits of moves over all audits. Default: those of the configuration. */
  moveLimits?: Required<MoveLimits>;
  /** Default: that of the configuration. */
  oppositeAudits?: OppositeAuditsMode;
}

/** Creates an engine on this history. */
export function createDayEngine(history: HistoryReader, given: DayEngineOptions = {}): DayEngine {
  const { registry = builtInPlugins(), moveLimits = defaultMoveLimits, memoryLimitMb, oppositeAudits } = given;
  const { strategyTimeLimitMs = settings.strategyTimeLimitMs } = given;
  const metrics = createMetrics('replay');
  const runner = createStrategyRunner({
    threads: 1,
    memoryLimitMb,
    logger: silentLogger,
    scoring: registry.scoringSources(),
    actions: registry.actions(),
  });
  return {
    async run({ goalName, strategyName, parameters }, { cloud, atMs, past, moves, opposites }) {
      const clock: Clock = { now: () => atMs };
      const deps: ComputePlanDeps = {
        ...{ registry, history, runner, clock, logger: silentLogger },
        options: { ...settings, strategyTimeLimitMs, oppositeAudits },
        ...{ newUuid: randomUUID, model: keeper(async () => cloud.snapshot(atMs), clock, metrics) },
        otherModels: {
          storage: keeper(
            async () => Promise.reject(new ServiceMissingError('block storage in a replay')),
            clock,
            metrics,
          ),
          baremetal: keeper(async () => cloud.baremetal(atMs), clock, metrics),
          stop: () => undefined,
        },
      };
      const undoing = new Set(opposites.audits.map(({ uuid }) => uuid));
      const ledger = createMoveLedger(moves, atMs, moveLimits, undoing);
      const task = {
        goalName,
        strategyName,
        parameters,
        scope: [],
        atMs,
        ledger,
        opposites,
        readPast: async () => past,
      };
      const { actions, hosts, report } = await computePlan(task, new AbortController().signal, deps);
      const types = new Set(actions.map(({ actionType }) => actionType));
      const known = registry.actions().filter(({ name }) => types.has(name));
      const revertible = new Map(known.map(({ name, revertible: how }) => [name, how]));
      return { actions, facts: automationFactsOf(hosts, actions, revertible), metrics: report.metrics };
    },
    close: () => runner.close(),
  };
}

function keeper<Snapshot extends { takenAtMs: number; complete: boolean; gaps: string[] }>(
  collect: () => Promise<Snapshot>,
  clock: Clock,
  metrics: Metrics,
) {
  return createModelKeeper<Snapshot>({ collect, clock, logger: silentLogger, metrics });
}
