import { InvalidInputError, type JsonObject, type MetricUse, nearestHint } from '#libs/domain';
import type { PlannedAction } from '#libs/plugin-kit';
import { dayAuditOf, refuseStorage } from '../../replay/audits.ts';
import type { DayWorld } from '../../replay/replay-world.ts';
import { type DayResult, simulateDay } from '../../replay/simulate-day.ts';

/** A replayed strategy, or `none`: the recording without audits. */
export interface ReplayedStrategy {
  strategy: string;
  parameters: JsonObject;
  sums: Record<string, number>;
  hours: DayResult['hours'];
  /** Proposals with actions, in the order of time. */
  plans: { at: string; actions: { type: string; resource: string; from: string; to: string }[] }[];
  /** Runs whose strategy failed, for example without measurements, with the reason of the last one. */
  failed: { runs: number; reason: string | null };
  /** Metrics without samples of some instances or hosts, from the run with the most of them. */
  missing_metrics: MissingMetric[];
}

/** A metric without samples for `missing` of the `asked` instances or hosts. Names at most 10. */
export interface MissingMetric {
  metric: string;
  resource_type: MetricUse['resourceType'];
  missing: number;
  asked: number;
  examples: string[];
}

/** Options of `vigil world audit`. */
export interface AuditWorldOptions {
  goal: string;
  /** Strategies to replay. The parameters apply to the first one. */
  strategies: readonly string[];
  parameters: JsonObject;
  /** Steps between two audits. Null: one audit at the last step. */
  everySteps: number | null;
  onProgress(text: string, done: number, of: number): void;
}

/**
 * Replays each strategy over the recorded time, with the computation and the limits of the decision engine, after a
 * replay without audits.
 * @throws InvalidInputError for an unknown strategy, one that does not belong to the goal, and one that moves volumes.
 * Throws the error of a strategy that fails in each run.
 */
export async function auditWorld(
  makeWorld: () => DayWorld,
  { goal, strategies, parameters, everySteps, onProgress }: AuditWorldOptions,
): Promise<ReplayedStrategy[]> {
  const audits = strategies.map((name, row) => {
    const audit = dayAuditOf(name, row === 0 ? parameters : {});
    if (audit.goalName !== goal) throw new InvalidInputError('--goal', wrongGoal(goal, audit));
    refuseStorage(audit);
    return audit;
  });
  const results: ReplayedStrategy[] = [];
  for (const audit of [null, ...audits]) {
    const world = makeWorld();
    const plans: ReplayedStrategy['plans'] = [];
    const missing = new Map<string, MissingMetric>();
    const failures: Error[] = [];
    let runs = 0;
    const strategy = audit?.strategyName ?? 'none';
    const { sums, hours } = await simulateDay(world, audit === null ? [] : [audit], {
      settledStep: 0,
      firstStep: everySteps === null ? world.steps - 1 : 0,
      isDue: (step) => (everySteps === null ? step === world.steps - 1 : step % everySteps === 0),
      onPlan: ({ atMs, actions }) => plans.push({ at: new Date(atMs).toISOString(), actions: actions.map(described) }),
      onMetrics({ metrics }) {
        runs += 1;
        for (const use of metrics) noteMissing(missing, use);
      },
      onFailure: (error) => failures.push(error),
      onStep: ({ step, steps }) => onProgress(`Replaying ${strategy}`, step, steps),
    });
    if (runs === 0 && failures.length > 0) throw failures.at(-1);
    results.push({
      ...{ strategy, parameters: audit?.parameters ?? {}, sums, hours, plans },
      failed: { runs: failures.length, reason: failures.at(-1)?.message ?? null },
      missing_metrics: [...missing.values()].sort((one, other) => (one.metric < other.metric ? -1 : 1)),
    });
  }
  return results;
}

function noteMissing(found: Map<string, MissingMetric>, use: MetricUse): void {
  const { metric, resourceType, missing, asked, missingExamples: examples } = use;
  if (missing > (found.get(metric)?.missing ?? 0))
    found.set(metric, { metric, resource_type: resourceType, missing, asked, examples });
}

function wrongGoal(goal: string, { strategyName, goalName }: { strategyName: string; goalName: string }): string {
  return `${strategyName} serves ${goalName}, not ${goal}${nearestHint(goal, [goalName])}`;
}

function described({ actionType: type, inputParameters }: PlannedAction) {
  const text = (name: string) => String(inputParameters[name] ?? '');
  return {
    type,
    resource: text('resource_id') || text('resource_name'),
    from: text('source_node'),
    to: text('destination_node') || text('state'),
  };
}
