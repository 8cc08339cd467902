import { type TSchema, Type } from 'typebox';
import { promisedQuantities, promiseVerdicts } from '#libs/domain';
import { component, count, nullableNumber, nullableText, strict, words } from './shared-schemas.ts';

/** A promised quantity. */
export const promisedQuantity = words(
  promisedQuantities,
  'Percent of the fullest host, points of deviation over the hosts, or seconds.',
);

const range = {
  quantity: promisedQuantity,
  low: Type.Number({ description: 'Lowest value of the range.' }),
  high: Type.Number({ description: 'Highest value of the range.' }),
};

/** Components that describe the promises of plans. */
export const promiseSchemas: TSchema[] = [
  Type.Object(range, { $id: 'PlanPromise', ...strict }),
  Type.Object(
    {
      ...range,
      achieved: nullableNumber('Measured after the plan; null without a measured verdict.'),
      verdict: words(promiseVerdicts, 'WITHIN: kept. BELOW, ABOVE: measured outside the range.'),
      reason: nullableText('Reason for a missing measurement.'),
    },
    { $id: 'JudgedPromise', ...strict },
  ),
  Type.Object(
    {
      strategy_name: nullableText('Strategy that created the plans.'),
      quantity: promisedQuantity,
      within: count('Plans that kept the promise.'),
      below: count('Plans that ended below the range.'),
      above: count('Plans that ended above the range.'),
      not_measured: count('Plans without a measured value.'),
      not_attributable: count('Plans that overlapped with others.'),
    },
    { $id: 'TrendPromise', ...strict },
  ),
];

/** Promises of a plan at its creation. */
export const promisesField: TSchema = Type.Unsafe({
  anyOf: [{ type: 'array', items: component('PlanPromise') }, { type: 'null' }],
  description: 'Ranges that the plan promises; null if no hosts were stored.',
});
