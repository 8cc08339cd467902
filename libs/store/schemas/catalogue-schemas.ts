import { EntitySchema } from 'typeorm';
import type { EntityBase, Goal, ScoringEngine, Service, Strategy } from '#libs/domain';
import {
  baseColumns,
  indexOn,
  json,
  jsonb,
  lifeColumns,
  reference,
  text,
  time,
  uniqueLiveName,
  uniqueUuid,
} from './columns.ts';

/** Table `goals`. */
export const goalSchema = new EntitySchema<Goal>({
  name: 'Goal',
  tableName: 'goals',
  columns: {
    ...baseColumns('goals'),
    name: text('name'),
    displayName: text('display_name'),
    efficacySpecification: jsonb('efficacy_specification'),
  },
  indices: [uniqueUuid('goals'), uniqueLiveName('goals')],
});

/** Table `strategies`. */
export const strategySchema = new EntitySchema<Strategy>({
  name: 'Strategy',
  tableName: 'strategies',
  columns: {
    ...baseColumns('strategies'),
    name: text('name'),
    displayName: text('display_name'),
    goalId: reference('strategies', 'goal_id', 'Goal'),
    parametersSpec: json('parameters_spec'),
  },
  indices: [uniqueUuid('strategies'), uniqueLiveName('strategies'), indexOn('strategies', 'goal_id', 'goalId')],
});

/** Table `scoring_engines`. */
export const scoringEngineSchema = new EntitySchema<ScoringEngine>({
  name: 'ScoringEngine',
  tableName: 'scoring_engines',
  columns: {
    ...baseColumns('scoring_engines'),
    name: text('name'),
    description: text('description', { nullable: true }),
    metainfo: text('metainfo', { nullable: true }),
  },
  indices: [uniqueUuid('scoring_engines'), uniqueLiveName('scoring_engines')],
});

/** A row of `services`; soft-deleted like the others, although it has no uuid. */
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
