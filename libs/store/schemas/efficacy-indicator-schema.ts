import { EntitySchema } from 'typeorm';
import type { EfficacyIndicator } from '#libs/domain';
import { baseColumns, reference, text } from './columns.ts';
import { indexOn, uniqueUuid } from './indices.ts';

/** Table `efficacy_indicators`. */
export const efficacyIndicatorSchema = new EntitySchema<EfficacyIndicator>({
  name: 'EfficacyIndicator',
  tableName: 'efficacy_indicators',
  columns: {
    ...baseColumns('efficacy_indicators'),
    name: text('name'),
    description: text('description', { nullable: true }),
    unit: text('unit', { nullable: true }),
    value: { name: 'value', type: 'double precision' },
    actionPlanId: reference('efficacy_indicators', 'action_plan_id', 'ActionPlan'),
  },
  indices: [uniqueUuid('efficacy_indicators'), indexOn('efficacy_indicators', 'action_plan_id', 'actionPlanId')],
});
