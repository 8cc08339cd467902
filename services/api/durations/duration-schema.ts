import { type TSchema, Type } from 'typebox';

/** A range of seconds. */
export const durationRange = (description: string) =>
  Type.Object(
    {
      low: Type.Number({ description: '10th percentile.' }),
      high: Type.Number({ description: '90th percentile.' }),
    },
    { additionalProperties: false, description },
  );

/** Fields of the duration of a plan. */
export const durationFields: Record<string, TSchema> = {
  seconds: durationRange('Expected duration of the whole plan in seconds.'),
  remaining_seconds: durationRange(
    'Expected seconds until the end from now; before the first action as `seconds`, at the end 0.',
  ),
  measured_actions: Type.Integer({
    minimum: 0,
    description: 'Number of measured actions of the same kinds behind the estimate.',
  }),
  guessed_types: Type.Array(Type.String(), {
    description: 'Kinds of actions without measurements: live, cold, evacuate, resize, volume, or the type.',
  }),
};
