import { Type } from 'typebox';
import { component, uuid } from '../../openapi/shared-schemas.ts';

const strict = { additionalProperties: false };
const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Components of the route of the totals. */
export const planTotalSchemas = [
  Type.Object(
    {
      audit_uuid: uuid('Audit that made the plans.'),
      strategy: Type.String({ description: 'Name of the strategy.' }),
      day: Type.String({ format: 'date', description: 'UTC day on which they were made.' }),
      state: Type.String({ description: 'State in which they ended.' }),
      plans: count('Plans that were removed.'),
      actions: count('Their actions.'),
      succeeded_actions: count('Actions that had succeeded.'),
      failed_actions: count('Actions that had failed.'),
    },
    { $id: 'PlanTotal', ...strict },
  ),
  Type.Object({ plan_totals: Type.Array(component('PlanTotal')) }, { $id: 'PlanTotalList', ...strict }),
];
