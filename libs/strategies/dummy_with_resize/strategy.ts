import type { JsonObject } from '#libs/domain';
import type { ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { fixedReport } from '../shared/hosts/rows.ts';
import { type DummyWithResizeParameters, dummyWithResizeParameters } from './parameters.ts';

/** Manifest of `dummy_with_resize`. */
const dummyWithResizeManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'dummy_with_resize',
  displayName: 'Dummy strategy with resize',
  goal: 'dummy',
  description:
    'Proposes messages, a sleep, and migrations and a resize of two nonexistent instances. It shows how a plan ' +
    'orders such actions. The applier skips actions whose instance does not exist.',
  parameters: dummyWithResizeParameters,
  metrics: [],
  models: ['compute'],
  planner: 'weight',
  needsCompleteModel: false,
};

const migrated = 'b199db0c-1408-4d52-b5a5-5ca14de0ff36';
const migratedAndResized = '8db1b3c1-7938-4c34-8c03-6de14b874f8f';

function action(actionType: string, inputParameters: JsonObject, summary: string): ProposedAction {
  return { actionType, inputParameters, reason: { rule: 'fixed-sequence', summary, values: [], rejected: [] } };
}

function migrateFixed(uuid: string): ProposedAction {
  const input = {
    migration_type: 'live',
    source_node: 'compute2',
    destination_node: 'compute3',
    resource_name: uuid,
    resource_id: uuid,
  };
  return action('migrate', input, `Migrates the example instance ${uuid} from compute2 to compute3.`);
}

const sequence: ProposedAction[] = [
  action('nop', { message: 'hello World' }, 'Says hello; the first action of every plan of this strategy.'),
  action('nop', { message: 'Welcome' }, 'Says welcome after hello.'),
  action('sleep', { duration: 5.0 }, 'Waits 5 s.'),
  migrateFixed(migrated),
  migrateFixed(migratedAndResized),
  action(
    'resize',
    { flavor: 'x2', resource_id: migratedAndResized },
    `Resizes the example instance ${migratedAndResized} to flavor x2 after its migration.`,
  ),
];

/** Always the same six actions on instances that do not exist. */
export const dummyWithResizeStrategy: StrategyPlugin<DummyWithResizeParameters> = {
  manifest: dummyWithResizeManifest,
  async run({ model, parameters, log }): Promise<StrategyResult> {
    log.debug({ ...parameters }, 'parameters of the dummy strategy with resize');
    return {
      actions: structuredClone(sequence),
      indicators: {},
      report: fixedReport(model.snapshot, {
        notes: ['migrations and resize name example instances; they are skipped where those do not exist'],
      }),
    };
  },
};
