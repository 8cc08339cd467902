import { Type } from 'typebox';
import { maxPlanComments } from '#libs/store';
import { component, moment, strict, uuid } from '../../../../openapi/shared-schemas.ts';
import { personField } from '../approval/approval-schemas.ts';

/** Characters of a comment at most. */
export const longestPlanComment = 2000;

/** Components of the OpenAPI document for comments on plans. */
export const commentSchemas = [
  Type.Object(
    {
      uuid: uuid('The comment.'),
      action_plan_uuid: uuid('Action plan.'),
      text: Type.String({ description: 'Plain text. Lines end with a line feed.' }),
      author: personField('Author; null if unknown.'),
      created_at: moment('Creation time.'),
    },
    { $id: 'ActionPlanComment', ...strict },
  ),
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      comments: Type.Array(component('ActionPlanComment'), {
        maxItems: maxPlanComments,
        description: 'All comments, newest last.',
      }),
    },
    { $id: 'ActionPlanComments', ...strict },
  ),
  Type.Object(
    {
      text: Type.String({
        minLength: 1,
        maxLength: longestPlanComment,
        description: 'Plain text without control characters other than tabs and line breaks.',
      }),
    },
    { $id: 'ActionPlanCommentCreate', ...strict },
  ),
];
