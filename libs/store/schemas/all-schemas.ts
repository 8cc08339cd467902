import { actionAttemptSchema } from './action-attempt-schema.ts';
import { actionDescriptionSchema } from './action-description-schema.ts';
import { actionPlanSchema } from './action-plan-schema.ts';
import { actionSchema } from './action-schema.ts';
import { actionSlotSchema } from './action-slot-schema.ts';
import { auditLogSchema } from './audit-log-schema.ts';
import { auditSchema } from './audit-schema.ts';
import { auditTemplateSchema } from './audit-template-schema.ts';
import { changeLogReaderSchema } from './change-log-reader-schema.ts';
import { changeLogHeadSchema, changeLogSchema } from './change-log-schema.ts';
import { dashboardSessionSchema } from './dashboard-session-schema.ts';
import { dynamicInvalidationSchema, dynamicValueSchema } from './dynamic-value-schemas.ts';
import { efficacyIndicatorSchema } from './efficacy-indicator-schema.ts';
import { goalSchema } from './goal-schema.ts';
import { idempotencyKeySchema } from './idempotency-key-schema.ts';
import { inboxSchema } from './inbox-schema.ts';
import { leaseSchema } from './lease-schema.ts';
import { loadedPluginSchema } from './loaded-plugin-schema.ts';
import { outboxSchema } from './outbox-schema.ts';
import { placementRuleSchema } from './placement-rule-schema.ts';
import { planHostSchema } from './plan-host-schema.ts';
import { planRunSchema } from './plan-run-schema.ts';
import { planTotalSchema } from './plan-total-schema.ts';
import { auditVariantsSchema, planObjectiveSchema } from './plan-variant-schemas.ts';
import { pluginFaultSchema } from './plugin-fault-schema.ts';
import { publishedStateSchema } from './published-state-schema.ts';
import {
  graphEdgeSchema,
  processLoopSchema,
  recoveryDecisionSchema,
  recoveryJobSchema,
  serviceEventSchema,
  serviceRequestSchema,
  workCrashSchema,
} from './registry-schemas.ts';
import { scoringEngineSchema } from './scoring-engine-schema.ts';
import { serviceInstanceSchema } from './service-instance-schema.ts';
import { serviceSchema } from './service-schema.ts';
import { storeLineageSchema } from './store-lineage-schema.ts';
import { storeProbeSchema } from './store-probe-schema.ts';
import { strategySchema } from './strategy-schema.ts';
import { configWarningSchema, scheduledTaskSchema, taskNameSchema, taskSchema } from './task-schemas.ts';
import { serviceStatusSchema, watcherSchema } from './watcher-schema.ts';

/** Every table of the domain store. */
export const allSchemas = [
  goalSchema,
  strategySchema,
  auditTemplateSchema,
  auditSchema,
  actionPlanSchema,
  actionSchema,
  efficacyIndicatorSchema,
  scoringEngineSchema,
  serviceSchema,
  actionDescriptionSchema,
  outboxSchema,
  inboxSchema,
  idempotencyKeySchema,
  leaseSchema,
  placementRuleSchema,
  planRunSchema,
  planHostSchema,
  auditVariantsSchema,
  planObjectiveSchema,
  actionAttemptSchema,
  actionSlotSchema,
  serviceInstanceSchema,
  serviceEventSchema,
  serviceRequestSchema,
  graphEdgeSchema,
  processLoopSchema,
  recoveryJobSchema,
  recoveryDecisionSchema,
  workCrashSchema,
  pluginFaultSchema,
  loadedPluginSchema,
  changeLogSchema,
  changeLogHeadSchema,
  changeLogReaderSchema,
  watcherSchema,
  serviceStatusSchema,
  dashboardSessionSchema,
  auditLogSchema,
  publishedStateSchema,
  dynamicValueSchema,
  dynamicInvalidationSchema,
  taskSchema,
  taskNameSchema,
  scheduledTaskSchema,
  configWarningSchema,
  planTotalSchema,
  storeLineageSchema,
  storeProbeSchema,
];
