import type { PlannedAction, PlannerPlugin, ProposedAction } from '#libs/plugin-kit';
import { inputText, switchesTo } from './action-view.ts';
import { UnsupportedActionTypeError } from './weighting.ts';

/**
 * Watcher's order for emptying hosts: disables first, then the migrations of each source host as a chain of its own, then
 * enables after the end of all chains. Only the first of a chain names the disables: the others wait for them through it.
 * Throws UnsupportedActionTypeError for other action types.
 */
export const nodeResourceConsolidationPlanner: PlannerPlugin = {
  kind: 'planner',
  name: 'node_resource_consolidation',
  description: 'Disables, then one chain of migrations for each source host, then enables.',
  plan(actions, { newUuid }) {
    const isMigration = ({ actionType }: ProposedAction) => actionType === 'migrate';
    const isEnable = (action: ProposedAction) => switchesTo(action, 'enabled') || inputText(action, 'state') === 'up';
    for (const action of actions) {
      if (!isMigration(action) && action.actionType !== 'change_nova_service_state') {
        throw new UnsupportedActionTypeError('node_resource_consolidation', action.actionType);
      }
    }
    const disables = actions
      .filter((action) => !isMigration(action) && !isEnable(action))
      .map((action): PlannedAction => ({ ...action, uuid: newUuid(), parents: [] }));
    const disabled = disables.map(({ uuid }) => uuid);
    const lastOfSource = new Map<string, string>();
    const migrations = actions.filter(isMigration).map((action): PlannedAction => {
      const source = inputText(action, 'source_node') ?? '';
      const before = lastOfSource.get(source);
      const uuid = newUuid();
      lastOfSource.set(source, uuid);
      return { ...action, uuid, parents: before === undefined ? disabled : [before] };
    });
    const ends = lastOfSource.size > 0 ? [...lastOfSource.values()] : disabled;
    const enables = actions
      .filter((action) => !isMigration(action) && isEnable(action))
      .map((action): PlannedAction => ({ ...action, uuid: newUuid(), parents: ends }));
    return [...disables, ...migrations, ...enables];
  },
};
