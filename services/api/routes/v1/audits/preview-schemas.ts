import { Type } from 'typebox';
import { auditTypes } from '#libs/domain';
import { durationRange } from '../../../durations/duration-schema.ts';
import { reserveChangesField, sideEffectsField, unplacedField } from '../../../openapi/host-schemas.ts';
import { component, freeObject, nullableText, strict, uuid } from '../../../openapi/shared-schemas.ts';

const optionalParameters = Type.Optional(Type.Unsafe({ type: ['object', 'null'], additionalProperties: true }));
const optionalScope = Type.Optional(
  Type.Unsafe({
    type: ['array', 'null'],
    items: component('ScopeRule'),
    description: 'Rules; default: the whole cloud.',
  }),
);
const numbers = Type.Array(
  Type.Object(
    {
      name: Type.String(),
      description: nullableText('Description.'),
      unit: nullableText('Unit of the value.'),
      value: Type.Unsafe({ type: ['number', 'null'] }),
    },
    { additionalProperties: true },
  ),
);
const counts = Type.Object({ considered: Type.Integer(), eligible: Type.Integer() }, strict);

const curvePoint = {
  budget: Type.Integer({ description: 'Maximum number of migrations; 0: no limit.' }),
  moves: Type.Integer({ description: 'Migrations of the plan.' }),
  gib: Type.Number({ description: 'Memory that they copy.' }),
  seconds: Type.Number({ description: 'Duration of the migrations in sequence.' }),
  duration: Type.Optional(durationRange('Expected duration of the plan in seconds.')),
  value: Type.Number({ description: 'Points after the plan: 100 is today, 0 is the bound for every plan.' }),
  bound: Type.Number({ description: 'Lower bound of the points for this number of migrations.' }),
  chosen: Type.Boolean({ description: 'Whether the run proposed this plan.' }),
};

const nullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });

/** Components of dry runs, and those that audits and actions share: the report of a run and the reason of an action. */
export const previewSchemas = [
  Type.Object(curvePoint, { $id: 'CurvePoint', additionalProperties: true }),
  Type.Object(
    {
      audit_uuid: uuid('Audit.'),
      variants: Type.Array(
        Type.Object(
          {
            ...curvePoint,
            action_plans: Type.Array(Type.Object({ uuid: uuid('Action plan.'), state: Type.String() }, strict), {
              description: 'Plans created from this size.',
            }),
          },
          { additionalProperties: true },
        ),
        { description: 'Plans, the smallest first; empty for strategies without a search.' },
      ),
    },
    { $id: 'AuditVariants', ...strict },
  ),
  Type.Object(
    {
      audit_uuid: uuid('Audit.'),
      search: Type.Unsafe({
        anyOf: [
          Type.Object(
            {
              is_finishing: Type.Boolean({ description: 'Whether a client has requested the best plan so far.' }),
              value: nullableNumber,
              bound: nullableNumber,
              moves: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
              work: Type.Number({ description: 'Completed units of work.' }),
              budget: Type.Number({ description: 'Units of work in total.' }),
              starts: Type.Integer(),
            },
            { additionalProperties: true },
          ),
          { type: 'null' },
        ],
        description:
          'The best plan so far: its points (100 is today, 0 is the bound for every plan), the lower bound for its size, ' +
          'and its migrations; null while the audit is not running.',
      }),
    },
    { $id: 'AuditSearch', ...strict },
  ),
  Type.Object(
    { moves: Type.Integer({ description: 'Migrations of a point of the curve: its `budget`, or its `moves`.' }) },
    { $id: 'AuditPlanRequest', ...strict },
  ),
  Type.Object(
    {
      rule: Type.String(),
      summary: Type.String({ description: 'One sentence for people.' }),
      values: Type.Array(
        Type.Object(
          {
            quantity: Type.String(),
            subject: Type.String({ description: 'Host name, instance uuid or `cluster`.' }),
            unit: Type.String(),
            before: nullableNumber,
            after: nullableNumber,
          },
          { additionalProperties: true },
        ),
      ),
      rejected: Type.Array(
        Type.Object(
          {
            alternative: Type.String(),
            because: Type.String(),
            others: Type.Integer({ description: 'Number of further alternatives refused by the same rule.' }),
          },
          { additionalProperties: true },
        ),
      ),
    },
    { $id: 'ProposalReason', additionalProperties: true },
  ),
  Type.Object(
    {
      strategy: Type.String(),
      hosts: counts,
      instances: counts,
      pools: Type.Optional(counts),
      volumes: Type.Optional(counts),
      blocked: Type.Array(
        Type.Object({ constraint: Type.String(), count: Type.Integer(), examples: Type.Array(Type.String()) }, strict),
      ),
      metrics: Type.Array(
        Type.Object(
          {
            metric: Type.String(),
            resource_type: Type.String(),
            aggregate: Type.String(),
            period_seconds: Type.Number(),
            windows: Type.Optional(
              Type.Integer({ description: 'Number of windows of this length; the counts are of the worst one.' }),
            ),
            asked: Type.Integer(),
            missing: Type.Integer({ description: 'Resources without a value in the window.' }),
            missing_examples: Type.Optional(Type.Array(Type.String())),
            source: Type.Optional(nullableText('Data source of all values; null without values.')),
            passed_over: Type.Optional(
              Type.Array(Type.String(), { description: 'Unused data sources, with reasons.' }),
            ),
            impossible: Type.Optional(
              Type.Object(
                { resources: Type.Integer(), greatest: Type.Number(), examples: Type.Array(Type.String()) },
                { description: 'Resources with values above the cap of the metric, which count as missing.' },
              ),
            ),
          },
          { additionalProperties: true },
        ),
      ),
      model_age_seconds: Type.Number(),
      model_complete: Type.Boolean(),
      empty_because: nullableText('Reason for no actions; null if the plan has actions.'),
      notes: Type.Array(Type.String()),
      objective: Type.Optional(
        Type.Array(
          Type.Object(
            {
              level: Type.Integer({ description: '0 repair, 1 risk, 2 the aim, 3 the price; compared in this order.' }),
              term: Type.String(),
              unit: Type.String(),
              before: Type.Number(),
              after: Type.Number(),
              bound: Type.Unsafe<number | null>({
                type: ['number', 'null'],
                description: 'Whether the plan is proved optimal; null without a proof.',
              }),
            },
            { additionalProperties: true },
          ),
          { description: 'Terms of the objective; only for search-based strategies.' },
        ),
      ),
      gap: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['number', 'null'],
          description: 'Gap to the bound, as a fraction of the possible gain.',
        }),
      ),
      curve: Type.Optional(
        Type.Array(component('CurvePoint'), { description: 'Gains of plans of several sizes, the smallest first.' }),
      ),
      search: Type.Optional(
        Type.Object(
          {
            work: Type.Integer({ description: 'Completed units of work.' }),
            budget: Type.Integer(),
            ended_by: Type.String({
              description: 'Reason of the end of the search: work, clock, request, bound or converged.',
            }),
            starts: Type.Integer(),
            best_start: Type.Integer(),
          },
          { additionalProperties: true },
        ),
      ),
      timings_ms: Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'number' } }),
    },
    { $id: 'RunReport', additionalProperties: true },
  ),
  Type.Object(
    {
      goal: Type.String({ description: 'Uuid or name.' }),
      strategy: Type.Optional(nullableText('Uuid or name; the goal’s first one when absent.')),
      parameters: optionalParameters,
      scope: optionalScope,
      audit_type: Type.Optional(
        Type.Unsafe({
          type: ['string', 'null'],
          enum: [...auditTypes, null],
          description: 'Repeating ones exclude recently moved instances; default ONESHOT.',
        }),
      ),
    },
    { $id: 'AuditPreviewRequest', ...strict },
  ),
  Type.Object(
    {
      goal: Type.String({ description: 'Uuid or name.' }),
      strategies: Type.Array(
        Type.Unsafe({
          anyOf: [
            { type: 'string' },
            {
              type: 'object',
              required: ['strategy'],
              additionalProperties: false,
              properties: {
                strategy: { type: 'string' },
                parameters: { type: ['object', 'null'], additionalProperties: true },
              },
            },
          ],
        }),
        { minItems: 1, maxItems: 10, description: 'Strategies by name or uuid, with or without parameters.' },
      ),
      scope: optionalScope,
    },
    { $id: 'AuditCompareRequest', ...strict },
  ),
  Type.Object(
    {
      uuid: uuid('Identifier, valid within the preview only.'),
      action_type: Type.String(),
      input_parameters: freeObject('Parameters of the action.'),
      parents: Type.Array(Type.String(), { description: 'Actions that must end before this one starts.' }),
      reason: component('ProposalReason'),
    },
    { $id: 'PreviewedAction', ...strict },
  ),
  Type.Object(
    {
      strategy: Type.String(),
      parameters: freeObject('Parameters with all defaults filled in.'),
      model_taken_at: Type.String({ description: 'Time of the model of the cloud.' }),
      actions: Type.Array(component('PreviewedAction'), { description: 'Actions of the plan.' }),
      indicators: numbers,
      global_efficacy: numbers,
      report: component('RunReport'),
      hosts: Type.Array(component('HostBeforeAfter'), { description: 'All hosts of the scope, sorted by name.' }),
      side_effects: sideEffectsField,
      reserve_changes: reserveChangesField,
      unplaced: unplacedField(null),
    },
    { $id: 'AuditPreview', additionalProperties: true },
  ),
  Type.Object(
    {
      results: Type.Array(
        Type.Object(
          {
            strategy: Type.String(),
            error: Type.Unsafe({
              anyOf: [
                Type.Object({ code: Type.String(), message: Type.String() }, { additionalProperties: true }),
                { type: 'null' },
              ],
            }),
            preview: Type.Unsafe({ anyOf: [{ $ref: 'AuditPreview#' }, { type: 'null' }] }),
          },
          strict,
        ),
        { description: 'One for each requested strategy, in their order.' },
      ),
    },
    { $id: 'AuditComparison', ...strict },
  ),
];
