import { byPlan, type Effect, effectsOf } from '../effects.ts';
import { changedMs, type Fault, type PlanRecord, type SoakRecord, stateOf, timeOf } from '../record.ts';
import { clusterContradictions, cpuContradictions, type HostRoom, type Numbers, type Window } from './cloud-truth.ts';

/** Measured outcomes of plans against the state of the cloud. */
export interface OutcomeVerdict {
  untrue: Fault[];
  /** Phases (before or after) that were compared. */
  measured: number;
  notMeasured: number;
  notAttributable: number;
}

const phases = ['before', 'after'] as const;
type Phase = (typeof phases)[number];

interface Measurement {
  /** Start of the measured window, milliseconds of the epoch. Null when the outcome does not name it. */
  fromMs: number | null;
  /** End of the measured window. */
  toMs: number;
  /** When the hosts were read. */
  measuredMs: number;
  cluster: Numbers;
  goal: Numbers;
}

/** Strategies whose deviation is that of the mean CPU of hosts. */
const cpuStrategies = new Set(['workload_stabilization']);

/**
 * Compares each measured `before` and `after` with the samples of the cloud. A `before` that was measured after the
 * first request of its plan is untrue, as are a `before` that averages over a move of another plan and an `after`
 * from before the last effect. Plans that Vigil reports as not attributable, and phases that it reports as not
 * measured, are counted and not compared.
 */
export function judgeOutcomes(record: SoakRecord, room: HostRoom): OutcomeVerdict {
  const verdict: OutcomeVerdict = { untrue: [], measured: 0, notMeasured: 0, notAttributable: 0 };
  const allEffects = effectsOf(record);
  for (const [uuid, effects] of byPlan(allEffects)) {
    const plan = record.plans.get(uuid);
    if (!plan?.outcome) continue;
    for (const phase of phases) judgePhase({ record, plan, phase, effects, allEffects, room }, verdict);
  }
  return verdict;
}

interface Case {
  record: SoakRecord;
  plan: PlanRecord;
  phase: Phase;
  /** Of the plan. */
  effects: readonly Effect[];
  /** Of all plans. */
  allEffects: readonly Effect[];
  room: HostRoom;
}

function judgePhase(one: Case, verdict: OutcomeVerdict): void {
  const { plan, phase } = one;
  const measurement = measurementOf(plan, phase);
  if (isNotAttributable(plan, phase)) verdict.notAttributable += 1;
  else if (measurement) {
    verdict.measured += 1;
    verdict.untrue.push(...contradictions(one, measurement));
  } else if (isExplained(plan, phase)) verdict.notMeasured += 1;
  else if (plan.outcome?.[phase]) verdict.untrue.push(unknownShape(plan, phase));
}

/** Whether Vigil reports that other plans touched the same hosts. Only `after` depends on that. */
function isNotAttributable({ outcome }: PlanRecord, phase: Phase): boolean {
  return phase === 'after' && /not[_ ]attributable/i.test(JSON.stringify(outcome));
}

/** Whether Vigil gives a reason for which a phase was not measured. */
function isExplained({ outcome }: PlanRecord, phase: Phase): boolean {
  const { reason } = (outcome?.[phase] ?? {}) as { reason?: string };
  const { state } = (outcome?.measurement ?? {}) as { state?: string };
  return typeof reason === 'string' || (state === 'NOT_MEASURED' && !outcome?.[phase]);
}

/** A measurement that this judge cannot read must not pass as true. */
function unknownShape(plan: PlanRecord, phase: Phase): Fault {
  const text = `${phase} of plan ${plan.uuid} has neither numbers that this judge knows nor a reason`;
  return { atMs: changedMs(plan), text, ids: [plan.uuid], evidence: plan };
}

/** Null when the phase was not measured. */
function measurementOf({ outcome }: PlanRecord, phase: Phase): Measurement | null {
  const given = outcome?.[phase] as
    | { measured_at?: string; window_start?: string; window_end?: string; cluster?: Numbers; goal?: Numbers | null }
    | null
    | undefined;
  if (!given?.measured_at || !given.cluster) return null;
  const { measured_at, window_start, window_end, cluster, goal } = given;
  return {
    measuredMs: Date.parse(measured_at),
    fromMs: window_start ? Date.parse(window_start) : null,
    toMs: Date.parse(window_end ?? measured_at),
    cluster,
    goal: goal ?? {},
  };
}

/** The fault of a measurement, if it has one. */
function contradictions(one: Case, measurement: Measurement): Fault[] {
  const { plan, phase, effects } = one;
  const { measuredMs } = measurement;
  const span: Window = {
    fromMs: Math.min(...effects.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...effects.map(({ toMs }) => toMs)),
  };
  const reasons = [
    ...wrongTime(phase, measurement, span),
    ...wrongNumbers(one, measurement, span),
    ...hiddenOverlaps(one, measurement, span),
    ...averagedChanges(one, measurement),
  ];
  if (reasons.length === 0) return [];
  const where = `plan ${plan.uuid} (${plan.strategy}, ${stateOf(plan)} at ${timeOf(changedMs(plan))})`;
  const evidence = { plan, effects: effects.map(({ what, hosts, fromMs, toMs }) => ({ what, hosts, fromMs, toMs })) };
  const text = `${phase} of ${where}, measured at ${timeOf(measuredMs)}: ${reasons.join('; ')}`;
  return [{ atMs: measuredMs, text, ids: [plan.uuid], evidence }];
}

/**
 * Other plans that changed the hosts of the plan until the end of `after`, although the outcome claims an effect. An
 * outcome without a `before` claims none.
 */
function hiddenOverlaps({ allEffects, plan, phase, effects }: Case, measurement: Measurement, span: Window): string[] {
  const { state } = (plan.outcome?.measurement ?? {}) as { state?: string };
  if (phase === 'before' || state === 'NOT_MEASURED') return [];
  const hosts = new Set(effects.flatMap((effect) => effect.hosts));
  const others = allEffects.filter(
    (effect) =>
      effect.plan !== plan.uuid &&
      effect.refusal === null &&
      effect.toMs >= span.fromMs &&
      effect.fromMs <= measurement.toMs &&
      effect.hosts.some((host) => hosts.has(host)),
  );
  const uuids = [...new Set(others.map((effect) => effect.plan))];
  return uuids.length > 0 ? [`it counts as an effect, but plan ${uuids.join(', ')} changed the same hosts`] : [];
}

/** Moves of other plans that had ended when the window of `before` was read, and that it averages over. */
function averagedChanges({ record, plan, phase, allEffects }: Case, { fromMs, toMs }: Measurement): string[] {
  if (phase === 'after' || fromMs === null) return [];
  const scope = scopeOf(record, plan);
  const hasEnded = ({ action }: Effect) => changedMs(record.actions.get(action) ?? { states: [] }) <= toMs;
  const within = allEffects.filter(
    (effect) =>
      effect.plan !== plan.uuid &&
      effect.server !== null &&
      effect.refusal === null &&
      effect.toMs > fromMs &&
      effect.toMs <= toMs &&
      hasEnded(effect) &&
      effect.hosts.some((host) => scope?.has(host) ?? true),
  );
  const last = within.sort((one, other) => other.toMs - one.toMs)[0];
  if (!last) return [];
  return [`its window starts ${secondsOf(last.toMs - fromMs)} before the last change that plan ${last.plan} made`];
}

function scopeOf(record: SoakRecord, { auditUuid }: PlanRecord): ReadonlySet<string> | undefined {
  return auditUuid === null ? undefined : record.scopes.get(auditUuid);
}

const secondsOf = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function wrongTime(phase: Phase, measurement: Measurement, { fromMs, toMs }: Window): string[] {
  const { measuredMs } = measurement;
  const startMs = measurement.fromMs ?? measuredMs;
  if (phase === 'before' && measuredMs > fromMs) {
    return [`it was measured ${secondsOf(measuredMs - fromMs)} after the first request of the plan`];
  }
  if (phase === 'after' && Math.min(measuredMs, startMs) < toMs) {
    return [`its window starts ${secondsOf(toMs - Math.min(measuredMs, startMs))} before the last effect of the plan`];
  }
  return [];
}

function wrongNumbers({ record, plan, phase, room }: Case, measurement: Measurement, span: Window): string[] {
  const { measuredMs, cluster, goal } = measurement;
  const scope = scopeOf(record, plan);
  const samples = scope
    ? record.samples.map(({ atMs, hosts }) => ({ atMs, hosts: hosts.filter(({ name }) => scope.has(name)) }))
    : record.samples;
  const atMs = phase === 'before' ? Math.min(measuredMs, span.fromMs) : measuredMs;
  const reasons = clusterContradictions(samples, cluster, atMs, room);
  const fromMs = measurement.fromMs ?? (phase === 'after' ? span.toMs : null);
  const value = cpuStrategies.has(plan.strategy) ? goal.standard_deviation_before_audit : null;
  if (typeof value !== 'number' || fromMs === null || fromMs >= measurement.toMs) return reasons;
  return [...reasons, ...cpuContradictions(samples, value, { fromMs, toMs: measurement.toMs }, measuredMs)];
}
