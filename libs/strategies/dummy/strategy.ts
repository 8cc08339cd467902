import type { ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { fixedReport } from '../shared/hosts/rows.ts';
import { type DummyParameters, dummyParameters } from './parameters.ts';

/** Manifest of `dummy`. */
const dummyManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'dummy',
  displayName: 'Dummy strategy',
  goal: 'dummy',
  description:
    'Proposes two messages and a short sleep. It changes nothing, and tests the path from the audit to the ' +
    'applier.',
  parameters: dummyParameters,
  metrics: [],
  models: ['compute'],
  planner: 'weight',
  needsCompleteModel: false,
};

const greeting = 'hello World';

function sayAction(message: string, why: string): ProposedAction {
  return {
    actionType: 'nop',
    inputParameters: { message },
    reason: { rule: 'fixed-sequence', summary: why, values: [], rejected: [] },
  };
}

function sleepAction(duration: number): ProposedAction {
  return {
    actionType: 'sleep',
    inputParameters: { duration },
    reason: {
      rule: 'fixed-sequence',
      summary: `Waits ${duration} s, as parameter para1 says.`,
      values: [],
      rejected: [],
    },
  };
}

/** Two `nop` and one `sleep`. The second `nop` is omitted when it would repeat the first. */
export const dummyStrategy: StrategyPlugin<DummyParameters> = {
  manifest: dummyManifest,
  async run({ model, parameters }): Promise<StrategyResult> {
    const { para1, para2 } = parameters;
    const second = para2 === greeting ? [] : [sayAction(para2, `Says "${para2}", as parameter para2 says.`)];
    return {
      actions: [
        sayAction(greeting, 'Says hello; the first action of every plan of this strategy.'),
        ...second,
        sleepAction(para1),
      ],
      indicators: {},
      report: fixedReport(model.snapshot),
    };
  },
};
