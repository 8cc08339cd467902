import { EntitySchema } from 'typeorm';
import type { PlacementRule } from '#libs/domain';
import { baseColumns, integer, jsonb, text, uniqueLiveName, uniqueUuid } from './columns.ts';

/** Table `placement_rules`. */
export const placementRuleSchema = new EntitySchema<PlacementRule>({
  name: 'PlacementRule',
  tableName: 'placement_rules',
  columns: {
    ...baseColumns('placement_rules'),
    name: text('name'),
    description: text('description', { nullable: true }),
    kind: text('kind'),
    instances: jsonb('instances'),
    hosts: jsonb('hosts', { nullable: true }),
    isStrict: { name: 'strict', type: 'boolean' },
    maxPerHost: integer('max_per_host', { nullable: true }),
    enabled: { name: 'enabled', type: 'boolean' },
  },
  indices: [uniqueUuid('placement_rules'), uniqueLiveName('placement_rules')],
});
