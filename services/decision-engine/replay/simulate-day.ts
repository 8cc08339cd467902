import {
  type AutomationFacts,
  type AutomationLevel,
  automationRefusals,
  defaultAutomationRules,
  type MetricUse,
} from '#libs/domain';
import type { PlannedAction } from '#libs/plugin-kit';
import { PluginFailedError } from '../strategy-runner/errors.ts';
import { createDayEngine, type DayAudit, type DayEngineOptions, type DayPlan, oppositesOf } from './audits.ts';
import { createDayCloud, type DayCloud } from './day-cloud.ts';
import { createDayHistory } from './day-history.ts';
import { createDayRecord } from './day-record.ts';
import { createDayMeasures, type DayHour } from './measures.ts';
import { type DayWorld, stepSeconds } from './replay-world.ts';
import { type RunningPlan, startPlan } from './run-plan.ts';

/** Progress after a step. */
export interface DayProgress {
  step: number;
  steps: number;
  moves: number;
}

/** Options of a replay. */
export interface DayOptions {
  /** Moves from this step on are also counted separately. */
  settledStep: number;
  /** First step that is measured and in which audits run. Earlier steps only fill the history. Default 0. */
  firstStep?: number;
  /** Default 3. `all`: every plan starts. */
  level?: AutomationLevel | 'all';
  engine?: DayEngineOptions;
  onStep?: (progress: DayProgress) => void;
  /** Whether the audits run at a step. Default: at every step. */
  isDue?: (step: number) => boolean;
  /** Called with each proposal that has actions. */
  onPlan?: (plan: { audit: DayAudit; atMs: number; actions: readonly PlannedAction[] }) => void;
  /** Called with the measurements that a run read. */
  onMetrics?: (run: { audit: DayAudit; metrics: readonly MetricUse[] }) => void;
  /**
   * Called with each run whose strategy fails, for example without measurements. Default: the error ends the replay.
   */
  onFailure?: (error: PluginFailedError) => void;
}

/** Sums of a run, with units in their names, and its values by hour. */
export interface DayResult {
  sums: Record<string, number>;
  hours: (DayHour & { moves: number })[];
  /** Number of plans by decision of the automation level: started, or the reason without its numbers. */
  decisions: { decision: string; plans: number }[];
  /** Finished moves in the order of time. */
  moves: { instance: string; from: string | null; to: string | null; endedAt: Date }[];
}

/**
 * Plays a world from its first to its last step. At each step every audit is due. Audits run sequentially while no
 * plan runs. A plan starts immediately if the automation level allows it.
 */
export async function simulateDay(
  world: DayWorld,
  audits: readonly DayAudit[],
  options: DayOptions,
): Promise<DayResult> {
  const { settledStep, firstStep = 0, level = 3, onStep, isDue = () => true, onPlan, onMetrics, onFailure } = options;
  const { startMs } = world;
  const cloud = createDayCloud(world);
  const history = createDayHistory();
  const engine = createDayEngine(history, options.engine);
  const measures = createDayMeasures(world);
  const record = createDayRecord(cloud, audits);
  let running: { plan: RunningPlan; audit: DayAudit } | null = null;
  let due: DayAudit[] = [];
  const decisions = createDecisions(level);
  const none: ReadonlySet<number> = new Set();

  /** Null without actions, and when the strategy failed. */
  async function proposalOf(audit: DayAudit, second: number): Promise<DayPlan | null> {
    const atMs = startMs + second * 1000;
    const context = { cloud, atMs, past: record.pastOf(audit, second), moves: record.moves() };
    const proposal = await engine
      .run(audit, { ...context, opposites: oppositesOf(audit, audits) })
      .catch((error) => failed(error, onFailure));
    if (proposal === null) return null;
    const { actions, metrics } = proposal;
    onMetrics?.({ audit, metrics });
    if (actions.length === 0) return null;
    onPlan?.({ audit, atMs, actions });
    return proposal;
  }

  async function runDue(second: number): Promise<void> {
    while (running === null) {
      const audit = due.shift();
      if (audit === undefined) return;
      const proposal = await proposalOf(audit, second);
      if (proposal === null || !decisions.starts(proposal.facts)) continue;
      record.countPlan();
      const plan = startPlan(cloud, proposal.actions, second);
      if (plan.nextEnd() === Number.POSITIVE_INFINITY) record.note(plan, audit);
      else running = { plan, audit };
    }
  }

  /** Advances the time of a step from one end of an action to the next. */
  async function pass(step: number): Promise<void> {
    const end = (step + 1) * stepSeconds;
    for (let now = step * stepSeconds; now < end; ) {
      await runDue(now);
      const next = Math.min(end, running?.plan.nextEnd() ?? end);
      measures.passes(cloud, step, next - now, running?.plan.migrating ?? none);
      running?.plan.advance(next);
      if (running !== null && running.plan.nextEnd() === Number.POSITIVE_INFINITY) {
        record.note(running.plan, running.audit);
        running = null;
      }
      now = next;
    }
  }

  try {
    for (let step = 0; step < world.steps; step += 1) {
      record.countNotPlaced(changeWorld(cloud, step));
      history.record(startMs + step * stepSeconds * 1000, cloud, step);
      if (step < firstStep) continue;
      due = isDue(step) ? [...audits] : [];
      await pass(step);
      onStep?.({ step: step + 1, steps: world.steps, moves: record.moveCount() });
    }
  } finally {
    await engine.close();
  }
  const sums = {
    ...measures.results(),
    ...record.movesByStrategy(),
    left: decisions.left(),
    ...record.sums(settledStep),
  };
  return {
    sums,
    hours: measures.hours().map((hour) => ({ ...hour, moves: record.movesIn(hour.hour) })),
    decisions: decisions.rows(),
    moves: record.moves(),
  };
}

function failed(error: unknown, onFailure: DayOptions['onFailure']): null {
  if (onFailure === undefined || !(error instanceof PluginFailedError)) throw error;
  onFailure(error);
  return null;
}

const started = 'started';

/** Counts the decisions of a level. */
function createDecisions(level: AutomationLevel | 'all') {
  const counts = new Map<string, number>();
  const rows = () => [...counts].map(([decision, plans]) => ({ decision, plans }));
  return {
    starts(facts: AutomationFacts): boolean {
      const decision = decisionOn(level, facts);
      counts.set(decision, (counts.get(decision) ?? 0) + 1);
      return decision === started;
    },
    rows,
    left: () => rows().reduce((sum, { decision, plans }) => sum + (decision === started ? 0 : plans), 0),
  };
}

/** Returns whether a level starts a plan, and the reason if not, without the numbers of the plan. */
function decisionOn(level: AutomationLevel | 'all', facts: AutomationFacts): string {
  if (level === 'all') return started;
  if (level < 2) return `left: level ${level} starts no plan`;
  const refusals = automationRefusals(defaultAutomationRules[level as 2 | 3], facts);
  if (refusals.length === 0) return started;
  const kinds = refusals.map((text) =>
    text
      .replace(/ of \S+ to \d+ %, limit/, ' of a host above')
      .replace(/gains [\d.]+ points and frees \d+ hosts?/, 'gains too little'),
  );
  return `left: ${[...new Set(kinds)].sort().join('; ')}`;
}

/** Number of steps after which operators evacuate a failed host. */
const evacuationSteps = 2;

function changeHosts({ world, hostOf, hosts, schedule }: DayCloud, step: number): void {
  for (const { host, fails, returns } of world.failures) {
    const state = hosts[host]!;
    state.failed = step >= fails && step < returns;
    if (step !== fails + evacuationSteps) continue;
    hostOf.forEach((row, instance) => {
      if (row === host) hostOf[instance] = schedule(instance);
    });
  }
}

/** Applies arrivals, departures and failures of a step. Returns the number of instances that find no host. */
function changeWorld(cloud: DayCloud, step: number): number {
  const { world, hostOf, arrives, departs, schedule } = cloud;
  changeHosts(cloud, step);
  let notPlaced = 0;
  for (let row = 0; row < hostOf.length; row += 1) {
    const end = departs[row] as number;
    if (step === end) hostOf[row] = -1;
    if (step < (arrives[row] as number) || step >= end || (hostOf[row] as number) >= 0) continue;
    hostOf[row] = world.instances[row]?.host ?? schedule(row);
    if ((hostOf[row] ?? -1) < 0) notPlaced += 1;
  }
  return notPlaced;
}
