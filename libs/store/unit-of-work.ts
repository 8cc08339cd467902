import { createAuditLog } from './changes/audit-log.ts';
import { createPublishedStates } from './changes/published-states.ts';
import { createDashboardSessions } from './dashboard/dashboard-sessions.ts';
import { createActionAttempts } from './entities/action-attempts.ts';
import { createActionBatches } from './entities/action-batches.ts';
import { createActionDescriptionRepository } from './entities/action-description-repository.ts';
import { createActionPlanRepository } from './entities/action-plan-repository.ts';
import { createActionRepository } from './entities/action-repository.ts';
import { createAlertReceivers } from './entities/alert-receivers.ts';
import { createAlertRuns } from './entities/alert-runs.ts';
import { createAuditRepository } from './entities/audit-repository.ts';
import { createHostVersions } from './entities/host-versions.ts';
import { createPlanComments } from './entities/plan-comments.ts';
import { createPlanHolds } from './entities/plan-holds.ts';
import { createPlanHosts } from './entities/plan-hosts.ts';
import { createPlanMeasurements } from './entities/plan-measurements.ts';
import { createPlanRuns } from './entities/plan-runs.ts';
import { createAuditVariants, createPlanObjectives } from './entities/plan-variants.ts';
import { createRepository } from './entities/repository.ts';
import { createServiceRepository } from './entities/service-repository.ts';
import { createRecentMoves } from './lists/recent-moves.ts';
import { createNotificationDeliveries } from './notification-targets/notification-deliveries.ts';
import { createNotificationEvents } from './notification-targets/notification-events.ts';
import { createNotificationTargets } from './notification-targets/notification-targets.ts';
import { createLoadedPlugins } from './processes/loaded-plugins.ts';
import { createPluginFaults } from './processes/plugin-faults.ts';
import { createRecoveryJobs } from './processes/recovery-jobs.ts';
import { createServiceRegistry } from './processes/service-registry.ts';
import {
  auditTemplateView,
  efficacyIndicatorView,
  goalView,
  placementRuleView,
  scoringEngineView,
  strategyView,
} from './reading/views.ts';
import type { Session } from './session/session.ts';
import { createScheduledTasks } from './tasks/scheduled-tasks.ts';
import { createTasks } from './tasks/tasks.ts';
import type { UnitOfWork } from './unit.ts';
import { createIdempotencyKeys } from './work/idempotency-keys.ts';
import { createInbox } from './work/inbox.ts';
import { createLeases } from './work/leases.ts';
import { createOutbox } from './work/outbox.ts';
import { createSlots } from './work/slots.ts';

/** Every store, working through `session`. */
export function createUnitOfWork(session: Session): UnitOfWork {
  return {
    goals: createRepository(session, goalView),
    strategies: createRepository(session, strategyView),
    auditTemplates: createRepository(session, auditTemplateView),
    audits: createAuditRepository(session),
    actionPlans: createActionPlanRepository(session),
    actions: createActionRepository(session),
    efficacyIndicators: createRepository(session, efficacyIndicatorView),
    scoringEngines: createRepository(session, scoringEngineView),
    placementRules: createRepository(session, placementRuleView),
    services: createServiceRepository(session),
    actionDescriptions: createActionDescriptionRepository(session),
    outbox: createOutbox(session),
    inbox: createInbox(session),
    idempotencyKeys: createIdempotencyKeys(session),
    planRuns: createPlanRuns(session),
    planHosts: createPlanHosts(session),
    planHolds: createPlanHolds(session),
    hostVersions: createHostVersions(session),
    planMeasurements: createPlanMeasurements(session),
    planObjectives: createPlanObjectives(session),
    planComments: createPlanComments(session),
    auditVariants: createAuditVariants(session),
    alertReceivers: createAlertReceivers(session),
    alertRuns: createAlertRuns(session),
    notificationTargets: createNotificationTargets(session),
    notificationEvents: createNotificationEvents(session),
    notificationDeliveries: createNotificationDeliveries(session),
    actionAttempts: createActionAttempts(session),
    recentMoves: createRecentMoves(session),
    leases: createLeases(session),
    slots: createSlots(session),
    actionBatches: createActionBatches(session),
    pluginFaults: createPluginFaults(session),
    loadedPlugins: createLoadedPlugins(session),
    registry: createServiceRegistry(session),
    recovery: createRecoveryJobs(session),
    tasks: createTasks(session),
    scheduledTasks: createScheduledTasks(session),
    dashboardSessions: createDashboardSessions(session),
    auditLog: createAuditLog(session),
    publishedStates: createPublishedStates(session),
    now: () =>
      session.read(async (manager) => {
        const [row] = await manager.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
        return (row as { now: Date }).now;
      }),
    lock: (name) =>
      session.write(async (manager) => {
        await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`vigil:${name}`]);
      }),
  };
}
