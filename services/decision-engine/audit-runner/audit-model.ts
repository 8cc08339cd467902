import { applyScope, type ComputeSnapshot, withRules } from '#libs/cluster-model';
import type { AlertScope, JsonObject } from '#libs/domain';
import type { ModelName, StrategyPlugin } from '#libs/plugin-kit';
import { inSpan } from '#libs/tracing';
import { freshSince } from '../model/fresh-enough.ts';
import type { ModelsRequest } from '../strategy-runner/strategy-runner.ts';
import { AuditRefusedError } from './errors.ts';
import type { MoveLedger } from './move-ledger.ts';
import { judgeOppositeAudits } from './opposite-audits.ts';
import type { ComputePlanDeps, PlanTask } from './plan-task.ts';
import { type ReadModels, readOtherModels } from './read-other-models.ts';
import { withoutRefusedMoves } from './report-failures.ts';
import { groupNotes, portNotes, scopeNotes } from './report-notes.ts';
import { restAfterMoves } from './rest-after-moves.ts';
import { limitFor, withinAlerts } from './within-alerts.ts';

/** The model of the cloud for one run of an audit. */
export interface AuditModel {
  /** The complete model, without the limits of the audit. */
  whole: ComputeSnapshot;
  /** The part that the strategy may change. */
  snapshot: ComputeSnapshot;
  /** Notes on all limits of that part. */
  notes: string[];
  others: ReadModels;
  /** Moves that limit this run. Null without a limit. */
  ledger: MoveLedger | null;
  /** Limit of the run by alerts, or null. */
  alertScope: AlertScope;
  ageSeconds: number;
}

/** The strategy for which a model is read. */
export interface AuditModelRequest {
  strategy: StrategyPlugin;
  /** Validated and with defaults. */
  parameters: JsonObject;
  /** For the query of the models that the strategy reads. */
  thread: Omit<ModelsRequest, 'parameters'>;
  /** Used instead of a new compute model. */
  given?: ComputeSnapshot;
}

/**
 * Reads the models of a strategy and limits them to the audit.
 * @throws AuditRefusedError and the errors of the models and of the strategy's thread
 */
export async function readAuditModel(
  audit: PlanTask,
  { strategy, parameters, thread, given }: AuditModelRequest,
  deps: ComputePlanDeps,
): Promise<AuditModel> {
  const { manifest } = strategy;
  const byOrder = manifest.byOrder === true;
  const sinceMs = audit.sinceChangeMs ?? Number.POSITIVE_INFINITY;
  const age = { maxAgeMs: deps.options.modelMaxAgeMs, sinceMs, clock: deps.clock };
  const whole = given ?? (await inSpan('model', {}, () => freshSince(deps.model, age)));
  refuseIncomplete(whole, manifest);
  const ledger = byOrder ? null : (audit.ledger ?? null);
  const { snapshot, notes } = limitedModel(whole, { ...audit, ledger }, deps, byOrder);
  const models: readonly ModelName[] = strategy.modelsFor
    ? await deps.runner.models({ ...thread, parameters })
    : manifest.models;
  const alertScope = limitFor(manifest.name, models, audit.alertScope);
  await audit.onModel?.(whole, models);
  const pools = { sinceMs: audit.sinceVolumeMoveMs, patienceMs: audit.poolPatienceMs, signal: thread.signal };
  const others = await readOtherModels(
    { strategy: manifest, scope: audit.scope, models, age, pools },
    deps.otherModels,
  );
  const ageSeconds = Math.max(0, (deps.clock.now() - snapshot.takenAtMs) / 1000);
  return { whole, snapshot, notes, others, ledger, alertScope, ageSeconds };
}

/** The part of the model that an audit may change, with notes on its limits. @throws AuditRefusedError */
function limitedModel(
  whole: ComputeSnapshot,
  { scope, alertScope = null, rules = [], opposites, ledger = null, refusedMoves = [], atMs }: PlanTask,
  { clock, options }: ComputePlanDeps,
  byOrder: boolean,
): { snapshot: ComputeSnapshot; notes: string[] } {
  const mode = options.oppositeAudits ?? 'allow';
  const oppositeNotes = opposites === undefined ? [] : judgeOppositeAudits(whole, scope, opposites, mode);
  const { snapshot: own, report } = applyScope(whole, scope);
  const { snapshot: scoped, notes: limitNotes } = withinAlerts(own, alertScope);
  const wary = withoutRefusedMoves(scoped, refusedMoves, byOrder);
  const { snapshot: ruled, notes: ruleNotes } = withRules(wary.snapshot, rules);
  const { snapshot, notes: restNotes } = restAfterMoves(ruled, ledger, atMs ?? clock.now());
  return {
    snapshot,
    notes: [
      ...scopeNotes(report),
      ...limitNotes,
      ...oppositeNotes,
      ...groupNotes(snapshot),
      ...portNotes(snapshot),
      ...wary.notes,
      ...restNotes,
      ...ruleNotes,
    ],
  };
}

function refuseIncomplete(snapshot: ComputeSnapshot, manifest: { name: string; needsCompleteModel: boolean }): void {
  if (snapshot.complete || !manifest.needsCompleteModel) return;
  const gaps = snapshot.gaps.slice(0, 3).join('; ');
  throw new AuditRefusedError(
    `strategy ${manifest.name} needs a complete model of the cloud, and parts of it could not be read: ${gaps}`,
  );
}
