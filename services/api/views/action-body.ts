import type { ActionView } from '#libs/store';
import { objectLinks } from '../http/request/links.ts';
import { timestampsOf } from '../http/watcher-text/timestamps.ts';
import type { Extent, ViewContext } from './view-context.ts';

/** An action as the API shows it. `descriptions` are the texts of the action types. */
export function actionBody(
  action: ActionView,
  descriptions: ReadonlyMap<string, string>,
  extent: Extent,
  { host, minor }: ViewContext,
): object {
  return {
    uuid: action.uuid,
    action_plan_uuid: action.actionPlanUuid,
    state: action.state,
    action_type: action.actionType,
    parents: action.parents,
    ...(extent === 'full' ? fullFields(action, descriptions, minor) : {}),
    links: objectLinks(host, 'actions', action.uuid),
  };
}

function fullFields(action: ActionView, descriptions: ReadonlyMap<string, string>, minor: number): object {
  return {
    description: descriptions.get(action.actionType) ?? '',
    input_parameters: action.inputParameters,
    ...(minor >= 5 ? { status_message: action.statusMessage } : {}),
    ...timestampsOf(action),
  };
}
