import { Type } from 'typebox';
import { actionStates, rollbackStates } from '#libs/domain';
import {
  component,
  linksSchema,
  listSchema,
  nullableText,
  nullableUuid,
  timestampFields,
  uuid,
  words,
} from '../../../openapi/shared-schemas.ts';

const freeObject = (description: string) => Type.Object({}, { additionalProperties: true, description });

const listFields = {
  uuid: uuid('Identifier.'),
  action_plan_uuid: nullableUuid('Plan that it is part of.'),
  state: words(actionStates, 'Life cycle.'),
  action_type: Type.String({ description: 'Such as `migrate`.' }),
  parents: Type.Array(Type.String({ format: 'uuid' }), { description: 'Actions that must end before it begins.' }),
  links: linksSchema,
};
const allFields = {
  ...listFields,
  description: Type.String({ description: 'What the action type does; empty when no applier has said so.' }),
  input_parameters: freeObject('Parameters of the action type.'),
  status_message: Type.Optional(nullableText('Reason of the state; from 1.5 on.')),
  ...timestampFields,
};

/** Components of the OpenAPI document for actions. */
export const actionSchemas = [
  Type.Object(allFields, { $id: 'Action', additionalProperties: false }),
  Type.Object(listFields, { $id: 'ActionListEntry', additionalProperties: false }),
  listSchema('ActionList', 'actions', 'ActionListEntry'),
  listSchema('ActionDetailList', 'actions', 'Action'),
  Type.Object(
    { reason: Type.Optional(nullableText('Why it is left out.')) },
    { $id: 'ActionSkip', additionalProperties: false },
  ),
  Type.Object(
    {
      action_uuid: uuid('Action.'),
      reason: Type.Unsafe({
        anyOf: [component('ProposalReason'), { type: 'null' }],
        description: 'Why the strategy proposes it: rule, summary, values before and after, rejected alternatives.',
      }),
      started_at: nullableText('ISO 8601 with offset.'),
      ended_at: nullableText('ISO 8601 with offset.'),
      rollback_state: Type.Unsafe({ type: ['string', 'null'], enum: [...rollbackStates, null] }),
      rollback_message: nullableText('Reason of the rollback state.'),
    },
    { $id: 'ActionReason', additionalProperties: false },
  ),
];
