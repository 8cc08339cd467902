import { EntitySchema } from 'typeorm';
import type { Goal } from '#libs/domain';
import { baseColumns, jsonb, text } from './columns.ts';
import { uniqueLiveName, uniqueUuid } from './indices.ts';

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
