import { Type } from 'typebox';
import {
  actionPlanStates,
  actionStates,
  controlsOf,
  measurementStates,
  onFailurePolicies,
  planControls,
  revertibilities,
  rollbackStates,
  startControls,
} from '#libs/domain';
import { durationFields } from '../../../durations/duration-schema.ts';
import { hostSchemas, reserveChangesField, sideEffectsField, unplacedField } from '../../../openapi/host-schemas.ts';
import { promiseSchemas, promisesField } from '../../../openapi/promise-schemas.ts';
import {
  component,
  linksSchema,
  nullableText,
  nullableUuid,
  optionalText,
  resourceSchemas,
  timestampFields,
  uuid,
  words,
} from '../../../openapi/shared-schemas.ts';
import { approvalSchemas } from './approval/approval-schemas.ts';
import { commentSchemas } from './comments/comment-schemas.ts';

const efficacy = Type.Object({
  name: Type.String(),
  description: nullableText('Description.'),
  unit: nullableText('Unit of the value.'),
  value: Type.Unsafe({ type: ['number', 'null'] }),
});

const nullableWhole = Type.Unsafe({ type: ['integer', 'null'] });
const revertibility = Type.Unsafe({
  type: ['string', 'null'],
  enum: [...revertibilities, null],
  description: 'Reversibility; null if no applier has reported it.',
});
const step = Type.Object(
  {
    action_uuid: uuid('Action.'),
    action_type: Type.String(),
    input_parameters: Type.Object({}, { additionalProperties: true }),
    state: words(actionStates, 'Life cycle.'),
    stage: Type.Integer({ description: 'Stage of the action; 1 for actions without dependencies.' }),
    starts_after: Type.Number({ description: 'Estimated seconds from the start of the plan.' }),
    estimated_seconds: Type.Number(),
    rollback: revertibility,
    summary: nullableText('Reason of the proposal.'),
  },
  { additionalProperties: false },
);

const revertStep = Type.Object(
  {
    action_uuid: uuid('Action with an actual or possible effect.'),
    action_type: Type.String(),
    input_parameters: Type.Object({}, { additionalProperties: true }),
    state: words(actionStates, 'Life cycle.'),
    stage: Type.Unsafe({
      type: ['integer', 'null'],
      description: 'Stage of the rollback, from 1; null if the action is not undone again.',
    }),
    verdict: words(revertibilities, 'Reversibility.'),
    summary: Type.String({ description: 'Effect of undoing the action.' }),
    rollback_action_uuid: nullableUuid('Action of the newest rollback plan that undoes this one.'),
    rollback_state: Type.Unsafe({
      type: ['string', 'null'],
      enum: [...new Set([...actionStates, ...rollbackStates]), null],
      description: 'State of that action, or of the rollback by the failure policy; null if never undone.',
    }),
    rollback_message: nullableText('Reason of the rollback state.'),
  },
  { additionalProperties: false },
);

const listFields = {
  uuid: uuid('Identifier.'),
  audit_uuid: nullableUuid('Audit that created the plan; null if the audit is deleted.'),
  strategy_uuid: nullableUuid('Strategy that proposed it.'),
  strategy_name: nullableText('Name of the strategy.'),
  state: words(actionPlanStates, 'Life cycle.'),
  efficacy_indicators: Type.Array(efficacy, { description: 'Expected gain of the plan.' }),
  global_efficacy: Type.Array(efficacy, { description: 'Summary of the indicators.' }),
  updated_at: timestampFields.updated_at,
  links: linksSchema,
};
const allFields = {
  ...listFields,
  hostname: nullableText('Host of the applier that runs or ran the plan.'),
  status_message: Type.Optional(nullableText('Reason of the state; from 1.5 on.')),
  created_at: timestampFields.created_at,
  deleted_at: timestampFields.deleted_at,
};

/** The verdict on the measurements of a plan. */
const measurementProperty = Type.Object(
  {
    state: words(
      Object.values(measurementStates),
      'ACHIEVED: the values before and after the plan are its effect. NOT_MEASURED: see reason. NOT_ATTRIBUTABLE: see overlaps. MEASURING, PENDING: no verdict yet.',
    ),
    reason: Type.Optional(nullableText('Reason for a missing value.')),
    overlaps: Type.Optional(
      Type.Array(uuid('Plan that changed the same hosts.'), {
        description:
          'Plans that changed the same hosts, from one averaging period before the plan to the end of the window after it; at most 20.',
      }),
    ),
    due_at: Type.Optional(nullableText('Due time of the measurement after the plan, ISO 8601.')),
  },
  { description: 'Absent until the plan runs, and for plans of earlier releases.' },
);

/** Schema of a control as an option of a start, by its type. */
const optionSchemas = {
  policy: (description: string) => Type.Optional(words(onFailurePolicies, description)),
  flag: (description: string) => Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description })),
  time: optionalText,
  cron: optionalText,
  zone: optionalText,
  whole: (description: string) =>
    Type.Optional(Type.Unsafe({ type: ['integer', 'null'], minimum: 1, maximum: 1_000_000, description })),
};

const startOptions = Object.fromEntries(
  controlsOf(startControls).map(({ name, type, option = '' }) => [name, optionSchemas[type](option)]),
);

/** Schema of a control as a field that shows it, by its type. */
const shownSchemas = {
  policy: (description: string) => words(onFailurePolicies, description),
  flag: (description: string) => Type.Boolean({ description }),
  time: nullableText,
  cron: nullableText,
  zone: nullableText,
  whole: (description: string) => Type.Unsafe({ type: ['integer', 'null'], ...(description && { description }) }),
};

const shownControls = Object.fromEntries(
  controlsOf(planControls).flatMap(({ name, type, shown }) =>
    shown === undefined ? [] : [[name, shownSchemas[type](shown)]],
  ),
);

const stalenessSchema = Type.Object(
  {
    action_plan_uuid: uuid('Action plan.'),
    stale: Type.Boolean({ description: 'Whether the start of the plan needs force_stale.' }),
    text: Type.String({ description: 'The age of the plan with its numbers, as a sentence.' }),
    forced: Type.Boolean({
      description: 'Whether the plan was started with force_stale, or has given actions.',
    }),
    hosts: Type.Integer({ description: 'Hosts that the plan uses or frees.' }),
    hosts_known: Type.Integer({
      description: 'Number of hosts with a known version; 0: the age of the plan is unknown.',
    }),
    hosts_changed: Type.Integer({ description: 'Hosts that changed after the creation of the plan.' }),
    migrations_since: Type.Integer({ description: 'Migrations by other plans from or to the changed hosts.' }),
    changed: Type.Array(
      Type.Object({
        hostname: Type.String(),
        planned_version: Type.Integer(),
        current_version: nullableWhole,
        changed_at: nullableText('ISO 8601 with offset.'),
      }),
      { description: 'The first 100 changed hosts.' },
    ),
    gain: Type.Unsafe({
      description: 'Gain on the newest model; null if unknown.',
      anyOf: [
        Type.Object({
          left: Type.Number({ description: 'Remaining part of the gain.' }),
          promised_points: Type.Number({ description: 'Percentage points at the creation of the plan.' }),
          now_points: Type.Number({ description: 'Percentage points now.' }),
        }),
        Type.Null(),
      ],
    }),
    gain_unknown_because: nullableText('Reason for an unknown gain.'),
    repeated: Type.Unsafe({
      description: 'Moves of a plan without a known gain, repeated on the newest model; null if no host changed.',
      anyOf: [
        Type.Object({
          moves: Type.Integer({ description: 'Remaining moves.' }),
          obstacles: Type.Integer({ description: 'Impossible moves, and hosts that would keep more than planned.' }),
          first_obstacle: nullableText('Text of the first obstacle.'),
        }),
        Type.Null(),
      ],
    }),
    held_by: Type.Unsafe({
      description: 'Started plan that uses a host of this one; null without one.',
      anyOf: [
        Type.Object({
          action_plan_uuid: uuid('Action plan.'),
          state: words(actionPlanStates, 'Life cycle.'),
          text: Type.String(),
        }),
        Type.Null(),
      ],
    }),
  },
  { $id: 'ActionPlanStaleness', additionalProperties: false },
);

/** Components of the OpenAPI document for action plans. */
export const actionPlanSchemas = [
  ...hostSchemas,
  ...promiseSchemas,
  ...approvalSchemas,
  ...commentSchemas,
  ...resourceSchemas('ActionPlan', 'action_plans', listFields, allFields),
  Type.Object(
    {
      ...startOptions,
      skip_actions: Type.Optional(
        Type.Unsafe<string[] | null>({
          type: ['array', 'null'],
          items: uuid('Action of this plan.'),
          description: 'Actions to skip at the start (extension).',
        }),
      ),
    },
    { $id: 'ActionPlanStart', additionalProperties: false },
  ),
  Type.Object(startOptions, { $id: 'ActionPlanRollbackStart', additionalProperties: false }),
  Type.Object(
    { action_plan_uuid: uuid('Action plan.'), ...durationFields },
    { $id: 'ActionPlanDuration', additionalProperties: false },
  ),
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      ...shownControls,
      rollback_state: Type.Unsafe({ type: ['string', 'null'], enum: [...rollbackStates, null] }),
      rollback_message: nullableText('Reason of the rollback state.'),
      rolls_back: nullableUuid('Plan that this one undoes.'),
      outcome: Type.Unsafe({
        type: ['object', 'null'],
        properties: {
          measurement: measurementProperty,
          promises: Type.Array(component('JudgedPromise'), { description: 'Promises of the plan and their verdicts.' }),
        },
        additionalProperties: true,
        description:
          'Efficacy measured before the first action and after the end, its verdict, and remains of evacuated instances on their returned host; null until then.',
      }),
      progress: Type.Object(
        {
          total: Type.Integer({ description: 'Actions.' }),
          ended: Type.Integer({ description: 'Actions in an end state.' }),
          running: Type.Integer({ description: 'Running actions.' }),
          percent: Type.Number({ description: 'Share of the ended actions, with one decimal.' }),
          by_state: Type.Record(Type.String(), Type.Integer(), { description: 'Actions by state.' }),
        },
        { additionalProperties: false },
      ),
      cut: Type.Union(
        [
          Type.Object(
            {
              max_migrations: nullableWhole,
              actions_left_out: Type.Integer({ description: 'Omitted actions.' }),
              migrations_left_out: Type.Integer({ description: 'Omitted migrations.' }),
              hosts_left_out: Type.Array(Type.String(), {
                description: 'Hosts that stay enabled because actions were omitted.',
              }),
            },
            { additionalProperties: false },
          ),
          Type.Null(),
        ],
        { description: 'Actions omitted by `max_migrations`; null without any.' },
      ),
    },
    { $id: 'ActionPlanOutcome', additionalProperties: false },
  ),
  stalenessSchema,
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      actions: Type.Array(
        Type.Object(
          {
            action_uuid: uuid('Action.'),
            state: words(actionStates, 'Life cycle.'),
            started_at: Type.String({ format: 'date-time', description: 'Start time.' }),
            ended_at: nullableText('End time; null while running.'),
          },
          { additionalProperties: false },
        ),
        { description: 'Started actions in the order of their start.' },
      ),
    },
    { $id: 'ActionPlanTimeline', additionalProperties: false },
  ),
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      possible: Type.Boolean({ description: 'Whether the plan can be rolled back now.' }),
      reason: nullableText('Obstacle to the rollback.'),
      verdict: revertibility,
      rolls_back: nullableUuid('Plan that this one undoes.'),
      rollback_plan_uuid: nullableUuid('Newest plan that undoes this one.'),
      rollback_plan_state: Type.Unsafe({ type: ['string', 'null'], enum: [...actionPlanStates, null] }),
      actions: Type.Array(revertStep, { description: 'Actions in the order of their rollback.' }),
    },
    { $id: 'ActionPlanRollback', additionalProperties: false },
  ),
  Type.Object(
    {
      action_plan_uuid: uuid('Action plan.'),
      actions: Type.Array(step, { description: 'Actions in the order of their stages.' }),
      estimated_seconds: Type.Object(
        {
          at_least: Type.Number({ description: 'As `duration.seconds.low`.' }),
          one_by_one: Type.Number({ description: 'Duration of all actions in sequence.' }),
          guessed_types: Type.Array(Type.String(), { description: 'Action types without measurements.' }),
        },
        { additionalProperties: false },
      ),
      duration: Type.Object(durationFields, { additionalProperties: false }),
      rollback: revertibility,
      hosts_taken_at: nullableText('Time of the model of `before` and `after`; null if none was stored.'),
      today_taken_at: nullableText('Time of the model of `today`; null if the current cloud is unknown.'),
      model: nullableText('Reason for an unknown `today`; null if known.'),
      unplaced: unplacedField('Instances whose destination Nova selects; null if no hosts were stored.'),
      hosts: Type.Array(component('PlanHost'), { description: 'Hosts changed by the plan, sorted by name.' }),
      side_effects: sideEffectsField,
      reserve_changes: reserveChangesField,
      promises: promisesField,
    },
    { $id: 'ActionPlanPreview', additionalProperties: false },
  ),
];
