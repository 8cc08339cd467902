import { EntitySchema } from 'typeorm';
import type { Strategy } from '#libs/domain';
import { baseColumns, json, reference, text } from './columns.ts';
import { indexOn, uniqueLiveName, uniqueUuid } from './indices.ts';

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
