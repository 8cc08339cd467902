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
      Type.Object({ user_id: nullableText('Id in Keystone.'), user_name: nullableText('Its name.') }, strict),
      Type.Null(),
    ],
  });
const comment = Type.String({ minLength: 1, maxLength: longestComment, description: 'Shown with the decision.' });

/** State of an approval as the API shows it. */
export const approvalStateField = Type.Unsafe({
  type: ['string', 'null'],
  enum: [...approvalStates, null],
  description: 'Approval by a second person; null when no rule wants it.',
});

/** Components of the OpenAPI document for approvals. */
export const approvalSchemas = [
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      state: words(actionPlanStates, 'Life cycle of the plan.'),
      approval: approvalStateField,
      reason: nullableText('The rules that want it, with the numbers of the plan.'),
      decided_by: personField('User who approved or refused; null while it is wanted.'),
      at: nullableText('When the approval got its state; ISO 8601.'),
      comment: nullableText('Comment of the decision.'),
      void_because: nullableText('Why an earlier approval no longer counts.'),
      starts_when_approved: Type.Boolean({ description: 'It starts when it is approved, by `auto_trigger`.' }),
    },
    { $id: 'ActionPlanApproval', ...strict },
  ),
  Type.Object(
    {
      comment: Type.Optional(comment),
      force_stale: Type.Optional(
        Type.Boolean({ description: 'Approves the plan although its hosts changed after it was made.' }),
      ),
    },
    { $id: 'ActionPlanApprove', ...strict },
  ),
  Type.Object({ comment }, { $id: 'ActionPlanRefuse', ...strict }),
];
