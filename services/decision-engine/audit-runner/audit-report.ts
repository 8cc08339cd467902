import type { ComputeSnapshot } from '#libs/cluster-model';
import type { AuditReport } from '#libs/domain';
import { createMetricsReader, predictMetrics, type StrategyReport } from '#libs/plugin-kit';
import type { AuditModel } from './audit-model.ts';
import type { ComputePlanDeps, PlanTask } from './plan-task.ts';
import { reportFailedMigrations } from './report-failures.ts';
import { impossibleNotes, lateNotes } from './report-notes.ts';
import type { Timings } from './start-timings.ts';

/** The report of a run in progress, and the records from which it is composed. */
export interface AuditReportDraft {
  /** The measurements of the run. Each one is recorded for the report. */
  metrics: ReturnType<typeof createMetricsReader>;
  /** Uuids of instances and volumes whose migration failed in an earlier plan. */
  failedMigrations: readonly string[];
  /** The report with the strategy's part. */
  of(own: StrategyReport): AuditReport;
  /** The report of a run without a result of the strategy. */
  ofFailure(failedIn: AuditReport['failedIn']): AuditReport;
}

/** Starts the report of a run that has read its model. */
export function startAuditReport(
  audit: PlanTask,
  { name, byOrder = false }: { name: string; byOrder?: boolean },
  { model, timer }: { model: AuditModel; timer: Timings },
  deps: ComputePlanDeps,
): AuditReportDraft {
  const { snapshot, others } = model;
  const history = deps.history.forStrategy?.(name) ?? deps.history;
  const predictSeconds = deps.options.predictSeconds ?? 0;
  const predicted = predictSeconds > 0 ? predictMetrics(history, predictSeconds) : { source: history, notes: () => [] };
  const metrics = createMetricsReader({
    history: predicted.source,
    snapshot,
    endMs: audit.atMs,
    clock: deps.clock,
    hostWindow: audit.hostWindow,
    onQuery: timer.add('metrics'),
  });
  const failed = reportFailedMigrations([snapshot, others.storage], audit.failedMigrations ?? [], byOrder);
  const reportOf = (own: StrategyReport): AuditReport => ({
    strategy: name,
    ...own,
    blocked: failed.blocked(own.blocked),
    notes: [
      ...model.notes,
      ...failed.notes,
      ...others.notes,
      ...predicted.notes(),
      ...lateNotes(metrics.uses()),
      ...impossibleNotes(metrics.uses()),
      ...own.notes,
    ],
    metrics: metrics.uses(),
    modelAgeSeconds: model.ageSeconds,
    modelComplete: snapshot.complete && others.complete,
    timingsMs: timer.timings(),
  });
  return {
    metrics,
    failedMigrations: failed.uuids,
    of: reportOf,
    ofFailure: (failedIn) => ({ ...reportOf(nothingYet(snapshot)), failedIn }),
  };
}

/** Report of a run without a result of the strategy. */
function nothingYet({ hostInfo, instanceInfo }: ComputeSnapshot): StrategyReport {
  return {
    hosts: { considered: hostInfo.length, eligible: 0 },
    instances: { considered: instanceInfo.length, eligible: 0 },
    blocked: [],
    emptyBecause: null,
    notes: ['the run failed; the report contains the data known until then'],
  };
}
