import type { JsonObject } from '#libs/domain';
import { hostsOfActions } from './host-effect.ts';
import { notEmptied } from './not-emptied.ts';
import { type DoneAction, inputOfRevert } from './plan-rollback.ts';
import { revertType } from './revert.ts';

/**
 * Rules of the plan that enables the hosts again which an ended plan disabled and did not empty. For plans whose
 * applier could not do that at their end.
 */
export const putBackPlan = {
  statusMessage: (formerUuid: string) =>
    `Enables again each host that action plan ${formerUuid} disabled and did not empty.`,
  revertsOf: (ended: readonly DoneAction[]): { actionType: string; inputParameters: JsonObject; summary: string }[] =>
    notEmptied(ended).map((action) => ({
      actionType: revertType,
      inputParameters: inputOfRevert(action),
      summary: `Enables ${action.inputParameters.resource_name ?? action.inputParameters.resource_id} again`,
    })),
  hostsOf: hostsOfActions,
};
