import type { JsonObject } from '#libs/domain';
import type { UnitOfWork } from '#libs/store';
import { requireUuid } from '../../../collections/query-arguments.ts';
import { arrayField } from '../../../http/body-fields.ts';
import { invalidField } from '../../../http/fault.ts';
import { skippedText } from '../actions/update-action.ts';

/** The actions that the body of a start leaves out. @throws ApiFault 400 for what is no uuid. */
export function readSkippedActions(body: JsonObject): string[] {
  const given = arrayField(body, 'skip_actions') ?? [];
  return given.map((uuid) => requireUuid('skip_actions', String(uuid)));
}

/** Skips actions of a plan that is about to start; one that is skipped already stays so. @throws ApiFault 400 for others. */
export async function skipActions(unit: UnitOfWork, planUuid: string, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  const states = new Map((await unit.actions.listByPlan(planUuid)).map(({ uuid, state }) => [uuid, state]));
  for (const uuid of new Set(uuids)) {
    const state = states.get(uuid);
    if (state === undefined) throw invalidField('skip_actions', uuid, 'Not an action of this action plan');
    if (state === 'PENDING') await unit.actions.transition(uuid, 'skip', { set: { statusMessage: skippedText } });
  }
}
