import type {
  Action,
  ActionPlan,
  Audit,
  AuditTemplate,
  EfficacyIndicator,
  Goal,
  PlacementRule,
  ScoringEngine,
  Strategy,
} from '#libs/domain';
import type { ViewDefinition } from '../list-query.ts';
import { actionPlanSchema, efficacyIndicatorSchema } from '../schemas/action-plan-schema.ts';
import { actionSchema } from '../schemas/action-schema.ts';
import { auditSchema } from '../schemas/audit-schema.ts';
import {
  auditTemplateSchema,
  goalSchema,
  placementRuleSchema,
  type ServiceRow,
  scoringEngineSchema,
  serviceSchema,
  strategySchema,
} from '../schemas/catalogue-schemas.ts';
import type { ActionPlanView, ActionView, AuditTemplateView, AuditView, ServiceView, StrategyView } from '../types.ts';

/** Seconds without a heartbeat after which a service counts as FAILED (Watcher's `service_down_time`). */
const serviceDownSeconds = 90;

const goalJoin = { entity: 'Goal', alias: 'goal', on: 'goal.id = entity.goalId' };
const strategyJoin = { entity: 'Strategy', alias: 'strategy', on: 'strategy.id = entity.strategyId' };
const planJoin = { entity: 'ActionPlan', alias: 'plan', on: 'plan.id = entity.actionPlanId' };

const goalFields = {
  goalUuid: { expression: 'goal.uuid', type: 'uuid' },
  goalName: { expression: 'goal.name', type: 'text' },
  goalDeleted: { expression: 'goal.deleted', type: 'bigint' },
};
const strategyFields = {
  strategyUuid: { expression: 'strategy.uuid', type: 'uuid' },
  strategyName: { expression: 'strategy.name', type: 'text' },
  strategyDeleted: { expression: 'strategy.deleted', type: 'bigint' },
};

/** Goals. Nothing is joined. */
export const goalView: ViewDefinition<Goal, Goal> = {
  entity: 'Goal',
  schema: goalSchema,
  joins: [],
  derived: {},
  named: true,
  key: 'uuid',
};

/** Strategies with their goal. */
export const strategyView: ViewDefinition<Strategy, StrategyView> = {
  entity: 'Strategy',
  schema: strategySchema,
  joins: [goalJoin],
  derived: goalFields,
  named: true,
  key: 'uuid',
};

/** Audit templates with goal and strategy. */
export const auditTemplateView: ViewDefinition<AuditTemplate, AuditTemplateView> = {
  entity: 'AuditTemplate',
  schema: auditTemplateSchema,
  joins: [goalJoin, strategyJoin],
  derived: { ...goalFields, ...strategyFields },
  named: true,
  key: 'uuid',
};

/** Audits with goal and strategy. */
export const auditView: ViewDefinition<Audit, AuditView> = {
  entity: 'Audit',
  schema: auditSchema,
  joins: [goalJoin, strategyJoin],
  derived: { ...goalFields, ...strategyFields },
  named: true,
  key: 'uuid',
};

/** Action plans with audit and strategy. */
export const actionPlanView: ViewDefinition<ActionPlan, ActionPlanView> = {
  entity: 'ActionPlan',
  schema: actionPlanSchema,
  joins: [{ entity: 'Audit', alias: 'audit', on: 'audit.id = entity.auditId' }, strategyJoin],
  derived: {
    auditUuid: { expression: 'audit.uuid', type: 'uuid' },
    auditName: { expression: 'audit.name', type: 'text' },
    auditDeleted: { expression: 'audit.deleted', type: 'bigint' },
    ...strategyFields,
  },
  named: false,
  key: 'uuid',
};

/**
 * Actions with the uuids of plan and audit. The audit needs a second join. Each join is many-to-one, so no row is
 * multiplied.
 */
export const actionView: ViewDefinition<Action, ActionView> = {
  entity: 'Action',
  schema: actionSchema,
  joins: [planJoin, { entity: 'Audit', alias: 'audit', on: 'audit.id = plan.auditId' }],
  derived: {
    actionPlanUuid: { expression: 'plan.uuid', type: 'uuid' },
    auditUuid: { expression: 'audit.uuid', type: 'uuid' },
  },
  named: false,
  key: 'uuid',
};

/** Efficacy indicators with the uuid of their plan. */
export const efficacyIndicatorView: ViewDefinition<EfficacyIndicator, EfficacyIndicator & { actionPlanUuid: string }> =
  {
    entity: 'EfficacyIndicator',
    schema: efficacyIndicatorSchema,
    joins: [planJoin],
    derived: { actionPlanUuid: { expression: 'plan.uuid', type: 'uuid' } },
    named: false,
    key: 'uuid',
  };

/** Scoring engines. Nothing is joined. */
export const scoringEngineView: ViewDefinition<ScoringEngine, ScoringEngine> = {
  entity: 'ScoringEngine',
  schema: scoringEngineSchema,
  joins: [],
  derived: {},
  named: true,
  key: 'uuid',
};

/** Rules of the operator. Nothing is joined. */
export const placementRuleView: ViewDefinition<PlacementRule, PlacementRule> = {
  entity: 'PlacementRule',
  schema: placementRuleSchema,
  joins: [],
  derived: {},
  named: true,
  key: 'uuid',
};

/** Services with their status by database time. Found by id or name. */
export const serviceView: ViewDefinition<ServiceRow, ServiceView & ServiceRow> = {
  entity: 'Service',
  schema: serviceSchema,
  joins: [],
  derived: {
    status: {
      expression: `CASE WHEN coalesce(entity.lastSeenUp, entity.updatedAt, entity.createdAt)
        BETWEEN now() - interval '${serviceDownSeconds} seconds' AND now() + interval '${serviceDownSeconds} seconds'
        THEN 'ACTIVE' ELSE 'FAILED' END`,
      type: 'text',
    },
  },
  named: true,
  key: 'id',
};
