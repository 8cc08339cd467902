import type { AuditTemplate, EfficacyIndicator, Goal, PlacementRule, ScoringEngine, Strategy } from '#libs/domain';
import type { AuditLog } from './changes/audit-log.ts';
import type { PublishedStates } from './changes/published-states.ts';
import type { DashboardSessions } from './dashboard/dashboard-sessions.ts';
import type { ActionAttempts } from './entities/action-attempts.ts';
import type { ActionBatches } from './entities/action-batches.ts';
import type { AlertReceivers } from './entities/alert-receivers.ts';
import type { AlertRuns } from './entities/alert-runs.ts';
import type { HostVersions } from './entities/host-versions.ts';
import type { PlanComments } from './entities/plan-comments.ts';
import type { PlanHolds } from './entities/plan-holds.ts';
import type { PlanHostsRepository } from './entities/plan-hosts.ts';
import type { PlanMeasurements } from './entities/plan-measurements.ts';
import type { PlanRuns } from './entities/plan-runs.ts';
import type { AuditVariantsRepository, PlanObjectives } from './entities/plan-variants.ts';
import type { ServiceRepository } from './entities/service-repository.ts';
import type { RecentMoves } from './lists/recent-moves.ts';
import type { NotificationDeliveries } from './notification-targets/notification-deliveries.ts';
import type { NotificationEvents } from './notification-targets/notification-events.ts';
import type { NotificationTargets } from './notification-targets/notification-targets.ts';
import type { LoadedPlugins } from './processes/loaded-plugins.ts';
import type { PluginFaults } from './processes/plugin-faults.ts';
import type { RecoveryJobs, ServiceRegistry } from './processes/types.ts';
import type { ScheduledTasks, Tasks } from './tasks/types.ts';
import type {
  ActionDescriptionRepository,
  ActionPlanRepository,
  ActionRepository,
  AuditRepository,
  AuditTemplateDefaults,
  AuditTemplateView,
  Repository,
  StrategyView,
} from './types.ts';
import type { IdempotencyKeys } from './work/idempotency-keys.ts';
import type { Inbox } from './work/inbox.ts';
import type { Leases } from './work/leases.ts';
import type { Outbox } from './work/outbox.ts';
import type { Slots } from './work/slots.ts';

/** Every store of one transaction. All of its changes commit or roll back together. */
export interface UnitOfWork {
  goals: Repository<Goal, Goal>;
  strategies: Repository<Strategy, StrategyView>;
  auditTemplates: Repository<AuditTemplate, AuditTemplateView, AuditTemplateDefaults>;
  audits: AuditRepository;
  actionPlans: ActionPlanRepository;
  actions: ActionRepository;
  efficacyIndicators: Repository<EfficacyIndicator, EfficacyIndicator & { actionPlanUuid: string }>;
  scoringEngines: Repository<ScoringEngine, ScoringEngine>;
  placementRules: Repository<PlacementRule, PlacementRule>;
  services: ServiceRepository;
  actionDescriptions: ActionDescriptionRepository;
  outbox: Outbox;
  inbox: Inbox;
  idempotencyKeys: IdempotencyKeys;
  planRuns: PlanRuns;
  planHosts: PlanHostsRepository;
  planHolds: PlanHolds;
  hostVersions: HostVersions;
  planMeasurements: PlanMeasurements;
  planObjectives: PlanObjectives;
  planComments: PlanComments;
  auditVariants: AuditVariantsRepository;
  alertReceivers: AlertReceivers;
  alertRuns: AlertRuns;
  notificationTargets: NotificationTargets;
  notificationEvents: NotificationEvents;
  notificationDeliveries: NotificationDeliveries;
  actionAttempts: ActionAttempts;
  recentMoves: RecentMoves;
  leases: Leases;
  slots: Slots;
  actionBatches: ActionBatches;
  pluginFaults: PluginFaults;
  loadedPlugins: LoadedPlugins;
  registry: ServiceRegistry;
  recovery: RecoveryJobs;
  tasks: Tasks;
  scheduledTasks: ScheduledTasks;
  dashboardSessions: DashboardSessions;
  auditLog: AuditLog;
  publishedStates: PublishedStates;
  /** The database's time. */
  now(): Promise<Date>;
  /** Holds a named advisory lock until the transaction ends. */
  lock(name: string): Promise<void>;
}

/** The operator's enforced rules, by name. */
export function enabledRules({ placementRules }: Pick<UnitOfWork, 'placementRules'>): Promise<PlacementRule[]> {
  return placementRules.list({ filters: [{ field: 'enabled', value: true }], sortKey: 'name' });
}
