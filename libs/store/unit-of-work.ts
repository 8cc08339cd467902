import type { UnitOfWork } from './contract.ts';
import {
  auditTemplateView,
  efficacyIndicatorView,
  goalView,
  placementRuleView,
  scoringEngineView,
  strategyView,
} from './reading/views.ts';
import { createRecoveryBook } from './registry/recovery-book.ts';
import { createServiceRegistry } from './registry/service-registry.ts';
import { createActionDescriptionRepository } from './repositories/action-description-repository.ts';
import { createActionPlanRepository } from './repositories/action-plan-repository.ts';
import { createActionRepository } from './repositories/action-repository.ts';
import { createAuditRepository } from './repositories/audit-repository.ts';
import { createRepository } from './repositories/repository.ts';
import { createServiceRepository } from './repositories/service-repository.ts';
import type { Session } from './session/session.ts';
import { createScheduledTasks } from './tasks/scheduled-tasks.ts';
import { createTasks } from './tasks/tasks.ts';
import { createActionAttempts } from './work/action-attempts.ts';
import { createActionBatches } from './work/action-batches.ts';
import { createAuditLog } from './work/audit-log.ts';
import { createDashboardSessions } from './work/dashboard-sessions.ts';
import { createIdempotencyKeys } from './work/idempotency-keys.ts';
import { createInbox } from './work/inbox.ts';
import { createLeases } from './work/leases.ts';
import { createLoadedPlugins } from './work/loaded-plugins.ts';
import { createOutbox } from './work/outbox.ts';
import { createPlanHosts } from './work/plan-hosts.ts';
import { createPlanRuns } from './work/plan-runs.ts';
import { createAuditVariants, createPlanObjectives } from './work/plan-variants.ts';
import { createPluginFaults } from './work/plugin-faults.ts';
import { createPublishedStates } from './work/published-states.ts';
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
    planObjectives: createPlanObjectives(session),
    auditVariants: createAuditVariants(session),
    actionAttempts: createActionAttempts(session),
    leases: createLeases(session),
    slots: createSlots(session),
    actionBatches: createActionBatches(session),
    pluginFaults: createPluginFaults(session),
    loadedPlugins: createLoadedPlugins(session),
    registry: createServiceRegistry(session),
    recovery: createRecoveryBook(session),
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
