import { Type } from 'typebox';
import { actionPlanStates, approvalStates } from '#libs/domain';
import { nullableText, strict, uuid, words } from '../../../../openapi/shared-schemas.ts';

/** Characters of a comment at most. */
export const longestComment = 1000;

/** A user as plans show it, or null. */
export const personField = (description: string) =>
  Type.Unsafe({
    description,
    anyOf: [
      Type.Object({ user_id: nullableText('Id in Keystone.'), user_name: nullableText('Name of the user.') }, strict),
      Type.Null(),
    ],
  });
const comment = Type.String({ minLength: 1, maxLength: longestComment, description: 'Shown with the decision.' });

/** State of an approval as the API shows it. */
export const approvalStateField = Type.Unsafe({
  type: ['string', 'null'],
  enum: [...approvalStates, null],
  description: 'Approval by a second person; null if no rule requires it.',
});

/** Components of the OpenAPI document for approvals. */
export const approvalSchemas = [
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      state: words(actionPlanStates, 'Life cycle of the plan.'),
      approval: approvalStateField,
      reason: nullableText('Rules that require the approval, with the numbers of the plan.'),
      decided_by: personField('User who approved or refused; null while the approval is pending.'),
      at: nullableText('Time of the last change of the approval, ISO 8601.'),
      comment: nullableText('Comment of the decision.'),
      void_because: nullableText('Reason for the loss of an earlier approval.'),
      starts_when_approved: Type.Boolean({
        description: 'Whether the plan starts when it is approved, by `auto_trigger`.',
      }),
    },
    { $id: 'ActionPlanApproval', ...strict },
  ),
  Type.Object(
    {
      comment: Type.Optional(comment),
      force_stale: Type.Optional(
        Type.Boolean({ description: 'Approves the plan although its hosts changed after its creation.' }),
      ),
    },
    { $id: 'ActionPlanApprove', ...strict },
  ),
  Type.Object({ comment }, { $id: 'ActionPlanRefuse', ...strict }),
];
