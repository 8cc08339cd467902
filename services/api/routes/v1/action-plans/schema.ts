import { Type } from 'typebox';
import { actionPlanStates, onFailurePolicies, rollbackStates } from '#libs/domain';
import {
  linksSchema,
  listSchema,
  nullableText,
  nullableUuid,
  timestampFields,
  uuid,
  words,
} from '../../../openapi/shared-schemas.ts';

const efficacy = Type.Object({
  name: Type.String(),
  description: nullableText('For people.'),
  unit: nullableText('Unit of the value.'),
  value: Type.Unsafe({ type: ['number', 'null'] }),
});

const listFields = {
  uuid: uuid('Identifier.'),
  audit_uuid: nullableUuid('Audit that made the plan; null when that is deleted.'),
  strategy_uuid: nullableUuid('Strategy that proposed it.'),
  strategy_name: nullableText('Name of the strategy.'),
  state: words(actionPlanStates, 'Life cycle.'),
  efficacy_indicators: Type.Array(efficacy, { description: 'What the plan is expected to bring.' }),
  global_efficacy: Type.Array(efficacy, { description: 'Summary of the indicators.' }),
  updated_at: timestampFields.updated_at,
  links: linksSchema,
};
const allFields = {
  ...listFields,
  hostname: nullableText('Host of the applier that runs or ran it.'),
  status_message: Type.Optional(nullableText('Reason of the state; from 1.5 on.')),
  created_at: timestampFields.created_at,
  deleted_at: timestampFields.deleted_at,
};

/** Components of the OpenAPI document for action plans. */
export const actionPlanSchemas = [
  Type.Object(allFields, { $id: 'ActionPlan', additionalProperties: false }),
  Type.Object(listFields, { $id: 'ActionPlanListEntry', additionalProperties: false }),
  listSchema('ActionPlanList', 'action_plans', 'ActionPlanListEntry'),
  listSchema('ActionPlanDetailList', 'action_plans', 'ActionPlan'),
  Type.Object(
    {
      on_failure: Type.Optional(words(onFailurePolicies, 'What happens to the rest when an action fails (extension).')),
    },
    { $id: 'ActionPlanStart' },
  ),
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      on_failure: words(onFailurePolicies, 'What happens to the rest when an action fails.'),
      rollback_state: Type.Unsafe({ type: ['string', 'null'], enum: [...rollbackStates, null] }),
      rollback_message: nullableText('Reason of the rollback state.'),
      outcome: Type.Unsafe({
        type: ['object', 'null'],
        additionalProperties: true,
        description: 'Efficacy measured after the plan ended; null until then.',
      }),
    },
    { $id: 'ActionPlanOutcome', additionalProperties: false },
  ),
];
