export { admitPlan, findHolder, holdingStates, lockAdmission } from './admission/admit-plan.ts';
export type { AimedAudit } from './admission/opposite-audits.ts';
export { findOppositeAudits, mergingStrategies } from './admission/opposite-audits.ts';
export { readApprovalReason } from './admission/read-plan-size.ts';
export { areJudged, readPlanAge } from './admission/read-staleness.ts';
export { lockAlerts, startAlertRun, startQueuedAlertRun } from './admission/start-alert-run.ts';
export { startRevertPlan } from './admission/start-revert-plan.ts';
export { voidApproval } from './admission/void-approval.ts';
export { backUpDatabase } from './backup/back-up-database.ts';
export { restoreDatabase } from './backup/restore-database.ts';
export type { AuditLogEntry, ObjectChange } from './changes/audit-log.ts';
export type { ChangeRow } from './changes/change-log.ts';
export type { PublishedState } from './changes/published-states.ts';
export type { ChangedEntity, LogPosition } from './changes/types.ts';
export type { ChainEnd } from './changes/verify-chain.ts';
export type { Watcher } from './changes/watchers.ts';
export type { DowngradePlan } from './connection/downgrade.ts';
export { downgradeSchema } from './connection/downgrade.ts';
export { upgradeSchema } from './connection/migrate.ts';
export { probeDatabase } from './connection/probe-database.ts';
export { schemaStatus } from './connection/schema-status.ts';
export { createStore } from './create-store.ts';
export type { ActionEnd, ActionStart } from './entities/action-batches.ts';
export type { AlertReceiver } from './entities/alert-receivers.ts';
export type { HostSighting } from './entities/host-versions.ts';
export type { PlanComment } from './entities/plan-comments.ts';
export { maxPlanComments } from './entities/plan-comments.ts';
export type { ChangedHost } from './entities/plan-holds.ts';
export type { MeasuredWindow, MeasurementPhase, PlanMeasurement } from './entities/plan-measurements.ts';
export { ApprovalWantedError, heldText, PlanHeldError, StoreUnavailableError } from './errors.ts';
export { importWatcher } from './import-watcher/import-watcher.ts';
export { readWatcher } from './import-watcher/read-watcher.ts';
export type { Filter, ListQuery } from './list-query.ts';
export type { ListRequest } from './lists/entity-lists.ts';
export { auditSorts, planSorts } from './lists/entity-lists.ts';
export type { MoveRow } from './lists/move-history.ts';
export type { Period, PeriodReport } from './lists/period-report.ts';
export type { PlanEnd, PromiseCount, TrendPlan } from './lists/plan-trends.ts';
export type { ConcurrentAction, PlanEdge, PlanHostTotals, PlanPerson, PlanWorkRow } from './lists/plan-work.ts';
export type { RecentMove } from './lists/recent-moves.ts';
export { grantPrivileges } from './maintenance/grants.ts';
export type { PurgeOptions } from './maintenance/purge.ts';
export { purgeDatabase, totalOf } from './maintenance/purge.ts';
export type { PurgeCounts } from './maintenance/purge-set.ts';
export { purgeKinds } from './maintenance/purge-set.ts';
export type { AttemptEnd, NotificationDelivery } from './notification-targets/notification-deliveries.ts';
export type { PlanEvent } from './notification-targets/notification-events.ts';
export type {
  NotificationTarget,
  TargetFields,
  TargetSecrets,
} from './notification-targets/notification-targets.ts';
export { openStore } from './open-store.ts';
export type { NameLock } from './processes/name-lock.ts';
export { lockName } from './processes/name-lock.ts';
export type {
  GraphEdge,
  GraphKind,
  OwnedWork,
  RecoveryDecision,
  RecoveryJob,
  ServiceEvent,
  ServiceEventType,
  ServiceInstance,
  ServiceRequest,
  ServiceRequestKind,
  ServiceStatusRow,
} from './processes/types.ts';
export { graphKinds } from './processes/types.ts';
export type { PluginFault } from './schemas/loaded-plugin-schema.ts';
export type { Store } from './store.ts';
export type {
  ConfigWarning,
  Enqueued,
  MisfirePolicy,
  ScheduledTask,
  SingleFlightMode,
  TaskFault,
  TaskRow,
} from './tasks/types.ts';
export { misfirePolicies, singleFlightModes } from './tasks/types.ts';
export type {
  ActionDefaults,
  ActionPlanDefaults,
  ActionPlanView,
  ActionStateCount,
  ActionView,
  AuditDefaults,
  AuditTemplateView,
  AuditView,
  NewRow,
  Reader,
  ServiceView,
  StrategyView,
} from './types.ts';
export type { UnitOfWork } from './unit.ts';
export { enabledRules } from './unit.ts';
export type { CarriedOut, KeyedRequest, KeyedResponse } from './work/idempotency-keys.ts';
export type { Leader } from './work/leader.ts';
export { createLeader } from './work/leader.ts';
export type { LeaseRequest } from './work/leases.ts';
export type { OutboxMessage } from './work/outbox.ts';
export { createOutboxRelay, startOutboxRelay } from './work/outbox-relay.ts';
export type { Slot } from './work/slots.ts';
