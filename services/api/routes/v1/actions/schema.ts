import { Type } from 'typebox';
import { actionStates, rollbackStates } from '#libs/domain';
import {
  component,
  freeObject,
  linksSchema,
  nullableText,
  nullableUuid,
  resourceSchemas,
  timestampFields,
  uuid,
  words,
} from '../../../openapi/shared-schemas.ts';

const listFields = {
  uuid: uuid('Identifier.'),
  action_plan_uuid: nullableUuid('Uuid of the action plan.'),
  state: words(actionStates, 'Life cycle.'),
  action_type: Type.String({ description: 'Type of the action, such as `migrate`.' }),
  parents: Type.Array(Type.String({ format: 'uuid' }), {
    description: 'Actions that must end before this one starts.',
  }),
  links: linksSchema,
};
const allFields = {
  ...listFields,
  description: Type.String({ description: 'Description of the action type; empty if no applier has reported it.' }),
  input_parameters: freeObject('Parameters of the action type.'),
  status_message: Type.Optional(nullableText('Reason of the state; from 1.5 on.')),
  ...timestampFields,
};

/** Components of the OpenAPI document for actions. */
export const actionSchemas = [
  ...resourceSchemas('Action', 'actions', listFields, allFields),
  Type.Object(
    { reason: Type.Optional(nullableText('Reason of the skip.')) },
    { $id: 'ActionSkip', additionalProperties: false },
  ),
  Type.Object(
    {
      action_uuid: uuid('Action.'),
      reason: Type.Unsafe({
        anyOf: [component('ProposalReason'), { type: 'null' }],
        description: 'Reason of the proposal: rule, summary, values before and after, rejected alternatives.',
      }),
      started_at: nullableText('ISO 8601 with offset.'),
      ended_at: nullableText('ISO 8601 with offset.'),
      rollback_state: Type.Unsafe({ type: ['string', 'null'], enum: [...rollbackStates, null] }),
      rollback_message: nullableText('Reason of the rollback state.'),
      cloud_request_ids: Type.Array(Type.String(), {
        description: 'Ids of the requests that the action sent to Nova, Cinder or Ironic, for a search in their logs.',
      }),
    },
    { $id: 'ActionReason', additionalProperties: false },
  ),
];
