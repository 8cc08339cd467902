export type { AuditLog, AuditLogEntry, AuditLogQuery } from './audit-log-contract.ts';
export type { BackupSummary } from './backup/back-up-database.ts';
export { backUpDatabase } from './backup/back-up-database.ts';
export type { BackupHeader } from './backup/backup-format.ts';
export type { RestoreOptions, RestoreResult } from './backup/restore-database.ts';
export { restoreDatabase } from './backup/restore-database.ts';
export type {
  ChangedEntity,
  ChangeStreamStore,
  LogPosition,
  LogWindow,
  Watcher,
  Watchers,
} from './change-stream-contract.ts';
export type { DowngradePlan, DowngradeResult, DowngradeTarget } from './connection/downgrade.ts';
export { downgradeSchema } from './connection/downgrade.ts';
export { upgradeSchema } from './connection/migrate.ts';
export { probeDatabase } from './connection/probe-database.ts';
export type { SchemaLosses } from './connection/schema-losses.ts';
export type { SchemaStatus } from './connection/schema-status.ts';
export { schemaStatus } from './connection/schema-status.ts';
export type {
  ActionDefaults,
  ActionPlanDefaults,
  ActionPlanView,
  ActionRepository,
  ActionStateCount,
  ActionView,
  AuditDefaults,
  AuditTemplateDefaults,
  AuditTemplateView,
  AuditView,
  LeasedRepository,
  NewRow,
  Reader,
  Repository,
  StatefulRepository,
  StrategyView,
  TransitionOptions,
  UnitOfWork,
} from './contract.ts';
export type { StoreOptions } from './create-store.ts';
export { createStore } from './create-store.ts';
export type { DashboardSessions } from './dashboard-contract.ts';
export type { DynamicEntry, DynamicKey, DynamicLoad, DynamicValues } from './dynamic-values-contract.ts';
export { enabledRules } from './enabled-rules.ts';
export { ImportError, StoreUnavailableError } from './errors.ts';
export type { ImportResult } from './import-watcher/import-watcher.ts';
export { importWatcher } from './import-watcher/import-watcher.ts';
export { readWatcher } from './import-watcher/read-watcher.ts';
export type { Lineage, LineageResult, LineageVerdict } from './lineage-contract.ts';
export type { Filter, FilterOperator, ListQuery } from './list-query.ts';
export type { GrantKind, GrantOptions } from './maintenance/grants.ts';
export { grantPrivileges } from './maintenance/grants.ts';
export type { PurgeOptions, PurgeResult } from './maintenance/purge.ts';
export { purgeDatabase, totalOf } from './maintenance/purge.ts';
export type { PurgeCounts, PurgeKind } from './maintenance/purge-set.ts';
export { purgeKinds } from './maintenance/purge-set.ts';
export { openStore } from './open-store.ts';
export type { OutboxRelay, OutboxRelayDeps, OutboxRelayMetrics } from './outbox-relay.ts';
export { createOutboxRelay } from './outbox-relay.ts';
export type { PublishedState, PublishedStates } from './published-states-contract.ts';
export type { NameLock } from './registry/name-lock.ts';
export { lockName } from './registry/name-lock.ts';
export type {
  GraphEdge,
  GraphKind,
  GraphRelation,
  NewGraphEdge,
  NewServiceEvent,
  NewServiceInstance,
  OwnedWork,
  RecoveryBook,
  RecoveryDecision,
  RecoveryJob,
  ServiceBeat,
  ServiceEvent,
  ServiceEventType,
  ServiceInstance,
  ServiceRegistry,
  ServiceRequest,
  ServiceRequestKind,
  ServiceStatus,
  ServiceStatusRow,
} from './registry-contract.ts';
export { graphKinds, graphRelations, serviceEventTypes } from './registry-contract.ts';
export type { PlanRetention, PlanTotal, PrunedPlans, Retention } from './retention-contract.ts';
export type { Store } from './store-contract.ts';
export type {
  ConfigWarning,
  Enqueued,
  MisfirePolicy,
  NewTask,
  ScheduledTask,
  ScheduledTasks,
  SingleFlightMode,
  TaskFault,
  TaskListQuery,
  TaskProgress,
  TaskRow,
  Tasks,
} from './tasks-contract.ts';
export { misfirePolicies, singleFlightModes } from './tasks-contract.ts';
export type {
  ActionAttempts,
  ActionBatches,
  ActionBegin,
  ActionEnd,
  AuditVariantsBook,
  ChangeLog,
  ChangeRow,
  IdempotencyKeys,
  Inbox,
  KeyedAnswer,
  KeyedRequest,
  LeaseRequest,
  Leases,
  Outbox,
  OutboxMessage,
  OutboxQueue,
  OutboxRow,
  PlanHostsBook,
  PlanObjectives,
  PlanRunEntry,
  PlanRuns,
  PluginFault,
  ServiceRepository,
  ServiceView,
  Slot,
  Slots,
} from './work-contract.ts';
