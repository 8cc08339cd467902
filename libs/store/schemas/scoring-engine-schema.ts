import { EntitySchema } from 'typeorm';
import type { ScoringEngine } from '#libs/domain';
import { baseColumns, text } from './columns.ts';
import { uniqueLiveName, uniqueUuid } from './indices.ts';

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
