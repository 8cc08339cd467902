import type { ActionView } from '#libs/store';

/**
 * Tells the hosts whose compute service a plan disabled, and which keep instances that were to leave: a failed migration
 * does not enable its source again (as in Watcher), so that nothing new lands there before somebody has decided. Null when
 * there is none.
 */
export function leftDisabledText(actions: readonly ActionView[]): string | null {
  const told = [...disabledHosts(actions)].flatMap((host) => {
    const staying = actions.filter((action) => action.inputParameters.source_node === host && stays(action));
    const instances = new Set(staying.map(({ inputParameters }) => inputParameters.resource_id)).size;
    return instances > 0 ? [`${host} (${instances} to move)`] : [];
  });
  return told.length > 0 ? `Left disabled but not emptied: ${told.join(', ')}` : null;
}

function disabledHosts(actions: readonly ActionView[]): Set<unknown> {
  const hosts = new Set<unknown>();
  for (const { actionType, state, rollbackState, inputParameters: input } of actions) {
    const isInForce = state === 'SUCCEEDED' && rollbackState !== 'SUCCEEDED';
    if (actionType !== 'change_nova_service_state' || !isInForce) continue;
    const host = input.resource_name ?? input.resource_id;
    if (input.state === 'disabled') hosts.add(host);
    else hosts.delete(host);
  }
  return hosts;
}

/** Whether the instance of a migration still is where it was. What was skipped as out of date had left before, or is gone. */
function stays({ actionType, state, endReason, rollbackState }: ActionView): boolean {
  if (actionType !== 'migrate') return false;
  const isUndone = rollbackState === 'SUCCEEDED';
  const isLeft = endReason === 'budget' || endReason === 'parent';
  return isUndone || isLeft || ['FAILED', 'CANCELLED', 'PENDING'].includes(state);
}
