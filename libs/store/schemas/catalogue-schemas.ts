import { EntitySchema } from 'typeorm';
import type { AuditTemplate, EntityBase, Goal, PlacementRule, ScoringEngine, Service, Strategy } from '#libs/domain';
import {
  indexOn,
  integer,
  json,
  jsonb,
  lifeColumns,
  namedColumns,
  namedIndices,
  reference,
  text,
  time,
} from './columns.ts';

/** Table `goals`. */
export const goalSchema = new EntitySchema<Goal>({
  name: 'Goal',
  tableName: 'goals',
  columns: {
    ...namedColumns('goals'),
    displayName: text('display_name'),
    efficacySpecification: jsonb('efficacy_specification'),
  },
  indices: namedIndices('goals'),
});

/** Table `strategies`. */
export const strategySchema = new EntitySchema<Strategy>({
  name: 'Strategy',
  tableName: 'strategies',
  columns: {
    ...namedColumns('strategies'),
    displayName: text('display_name'),
    goalId: reference('strategies', 'goal_id', 'Goal'),
    parametersSpec: json('parameters_spec'),
  },
  indices: [...namedIndices('strategies'), indexOn('strategies', 'goal_id', 'goalId')],
});

/** Table `scoring_engines`. */
export const scoringEngineSchema = new EntitySchema<ScoringEngine>({
  name: 'ScoringEngine',
  tableName: 'scoring_engines',
  columns: {
    ...namedColumns('scoring_engines'),
    description: text('description', { nullable: true }),
    metainfo: text('metainfo', { nullable: true }),
  },
  indices: namedIndices('scoring_engines'),
});

/** A row of `services`. Soft-deleted like the others, although it has no uuid. */
export type ServiceRow = Service & Pick<EntityBase, 'deleted' | 'deletedAt'>;

/** Table `services`. */
export const serviceSchema = new EntitySchema<ServiceRow>({
  name: 'Service',
  tableName: 'services',
  columns: {
    ...lifeColumns('services'),
    name: text('name'),
    host: text('host'),
    lastSeenUp: time('last_seen_up', { nullable: true }),
  },
  indices: [{ name: 'uq_services_name_host', columns: ['name', 'host'], unique: true, where: 'deleted = 0' }],
});

/** Table `audit_templates`. */
export const auditTemplateSchema = new EntitySchema<AuditTemplate>({
  name: 'AuditTemplate',
  tableName: 'audit_templates',
  columns: {
    ...namedColumns('audit_templates'),
    description: text('description', { nullable: true }),
    goalId: reference('audit_templates', 'goal_id', 'Goal'),
    strategyId: reference('audit_templates', 'strategy_id', 'Strategy', { nullable: true }),
    scope: jsonb('scope', { default: [] }),
    defaultParameters: json('default_parameters', { default: {} }),
  },
  indices: [
    ...namedIndices('audit_templates'),
    indexOn('audit_templates', 'goal_id', 'goalId'),
    indexOn('audit_templates', 'strategy_id', 'strategyId'),
  ],
});

/** Table `placement_rules`. */
export const placementRuleSchema = new EntitySchema<PlacementRule>({
  name: 'PlacementRule',
  tableName: 'placement_rules',
  columns: {
    ...namedColumns('placement_rules'),
    description: text('description', { nullable: true }),
    kind: text('kind'),
    instances: jsonb('instances'),
    hosts: jsonb('hosts', { nullable: true }),
    isStrict: { name: 'strict', type: 'boolean' },
    maxPerHost: integer('max_per_host', { nullable: true }),
    enabled: { name: 'enabled', type: 'boolean' },
  },
  indices: namedIndices('placement_rules'),
});
