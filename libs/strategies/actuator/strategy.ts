import { counted, InvalidInputError } from '#libs/domain';
import type { ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { fixedReport } from '../shared/hosts/rows.ts';
import { type ActuatorParameters, actuatorParameters } from './parameters.ts';

/** Manifest of `actuator`. */
const actuatorManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'actuator',
  displayName: 'Actuator',
  goal: 'unclassified',
  description: 'Proposes exactly the actions in its parameters, so operators can run their own plan.',
  parameters: actuatorParameters,
  metrics: [],
  models: ['compute'],
  planner: 'weight',
  needsCompleteModel: false,
  byOrder: true,
  neverStale: true,
};

type Wanted = ActuatorParameters['actions'][number];

function toAction({ action_type, resource_id, input_parameters }: Wanted, index: number): ProposedAction {
  if (Object.hasOwn(input_parameters, 'resource_id')) {
    throw new InvalidInputError(
      `actions[${index}].input_parameters.resource_id`,
      'is a reserved word; give resource_id beside input_parameters',
    );
  }
  const target = resource_id === undefined ? '' : ` on ${resource_id}`;
  return {
    actionType: action_type,
    inputParameters: { ...input_parameters, ...(resource_id === undefined ? {} : { resource_id }) },
    reason: {
      rule: 'as-requested',
      summary: `${action_type}${target} is entry ${index + 1} of the parameter actions.`,
      values: [],
      rejected: [],
    },
  };
}

/** Serializes keys in a fixed order, so that equal actions have equal texts. */
function identity({ actionType, inputParameters }: ProposedAction): string {
  const sorted = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify([actionType, inputParameters], sorted);
}

/**
 * Returns the listed actions. Drops an action that equals an earlier one. Throws InvalidInputError when `resource_id`
 * is inside `input_parameters`.
 */
export const actuatorStrategy: StrategyPlugin<ActuatorParameters> = {
  manifest: actuatorManifest,
  async run({ model, parameters }): Promise<StrategyResult> {
    const wanted = parameters.actions.map(toAction);
    const actions = [...new Map(wanted.map((action) => [identity(action), action])).values()];
    const repeated = wanted.length - actions.length;
    return {
      actions,
      indicators: {},
      report: fixedReport(model.snapshot, {
        emptyBecause: actions.length > 0 ? null : 'the parameter actions is an empty list',
        notes: repeated === 0 ? [] : [`${counted(repeated, 'repeated action', ['is', 'are'])} left out`],
      }),
    };
  },
};
