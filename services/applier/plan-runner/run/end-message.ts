import { type IdSource, migratingActionTypes, type RollbackState, serviceActionTypes } from '#libs/domain';
import { message, outcomeMeasure } from '#libs/messaging';
import type { ActionPlanView, ActionView, OutboxMessage } from '#libs/store';
import { shorten, statusMessages } from '../status-messages.ts';

/** A plan at its end, with its actions. */
export interface PlanEnding {
  plan: Pick<ActionPlanView, 'rollsBack' | 'maxMigrations'>;
  actions: readonly ActionView[];
  isCancelled: boolean;
  /** Action types whose revert restores exactly the state before. */
  exactTypes: ReadonlySet<string>;
  /** Why it was stopped, if its actions do not show the reason. */
  reason?: string;
}

/**
 * The `status_message` of a plan that ends: first Watcher's text about skipped actions, then why it was stopped, how
 * far its limit cut it, which part was done, which hosts stay disabled, the first failure with its reason, and the
 * reverted actions. Null when every action succeeded.
 */
export function endMessage(ending: PlanEnding): string | null {
  const { plan, actions, isCancelled, reason } = ending;
  const states = actions.map(({ state }) => state);
  const parts = [
    states.includes('SKIPPED') ? statusMessages.someSkipped : null,
    reason ?? null,
    cutText(plan.maxMigrations, actions),
    isCancelled ? 'Cancelled on request' : null,
    plan.rollsBack === null && (isCancelled || states.includes('FAILED')) ? doneText(actions) : null,
    plan.rollsBack === null ? null : undoneText(actions, plan.rollsBack),
    putBackText(actions),
    plan.rollsBack === null ? leftDisabledText(actions) : null,
    firstFailure(ending),
    revertedText(ending),
  ];
  const text = parts.filter((part) => part !== null).reduce(follow, '');
  return text === '' ? null : shorten(text);
}

function follow(text: string, sentence: string): string {
  if (text === '') return sentence;
  return text.endsWith('.') ? `${text} ${sentence}` : `${text}. ${sentence}`;
}

function doneText(actions: readonly ActionView[]): string {
  const count = (wanted: ActionView['state']) => actions.filter(({ state }) => state === wanted).length;
  const [failed, cancelled] = [count('FAILED'), count('CANCELLED')];
  return [
    `${count('SUCCEEDED')} of ${actions.length} actions succeeded`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ].join(', ');
}

/** Effect of the plan's limit of migrations. Null without an effect. */
function cutText(maxMigrations: number | null, actions: readonly ActionView[]): string | null {
  const left = actions.filter(({ endReason }) => endReason === 'budget').length;
  if (left === 0) return null;
  return `Done in part: max_migrations ${maxMigrations} left out ${left} of ${actions.length} actions`;
}

function undoneText(actions: readonly ActionView[], rollsBack: string): string {
  const undone = actions.filter(({ state }) => state === 'SUCCEEDED').length;
  return `${undone} of ${actions.length} actions of action plan ${rollsBack} undone`;
}

/** Whether a service that the plan disabled was enabled again because the plan did not empty its host. */
function isPutBack({ rollbackState, rollbackMessage }: ActionView): boolean {
  return rollbackState === 'SUCCEEDED' && rollbackMessage !== null;
}

function putBackText(actions: readonly ActionView[]): string | null {
  const hosts = actions.filter(isPutBack).map(({ inputParameters: input }) => input.resource_name ?? input.resource_id);
  return hosts.length === 0 ? null : `Enabled again as not emptied: ${hosts.join(', ')}`;
}

function firstFailure({ actions, reason }: PlanEnding): string | null {
  const failed = actions.filter(({ state }) => state === 'FAILED');
  const [first] = failed.sort((one, other) => (one.endedAt?.getTime() ?? 0) - (other.endedAt?.getTime() ?? 0));
  if (!first || first.statusMessage === reason) return null;
  return `First failure: ${first.actionType} ${first.uuid}: ${first.statusMessage ?? 'no reason'}`;
}

function revertedText({ actions, exactTypes }: PlanEnding): string | null {
  const inState = (wanted: RollbackState) =>
    actions.filter((action) => action.rollbackState === wanted && !isPutBack(action));
  const undone = inState('SUCCEEDED');
  const exact = undone.filter(({ actionType }) => exactTypes.has(actionType)).length;
  const parts: [number, string][] = [
    [exact, 'exactly undone'],
    [undone.length - exact, 'undone by best effort'],
    [inState('FAILED').length, 'could not be undone'],
    [inState('NOT_SUPPORTED').length, 'of a type that cannot be undone'],
  ];
  const reported = parts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return reported.length === 0 ? null : `Rollback: ${reported.join(', ')}`;
}

/**
 * Hosts whose compute service the plan disabled and which still hold instances that were to leave. They belong to a
 * plan that an operator ordered, or could not be enabled again. Null when none is left.
 */
function leftDisabledText(actions: readonly ActionView[]): string | null {
  const reported = [...disabledHosts(actions)].flatMap((host) => {
    const staying = actions.filter((action) => action.inputParameters.source_node === host && stays(action));
    const instances = new Set(staying.map(({ inputParameters }) => inputParameters.resource_id)).size;
    return instances > 0 ? [`${host} (${instances} to move)`] : [];
  });
  return reported.length > 0 ? `Left disabled but not emptied: ${reported.join(', ')}` : null;
}

function disabledHosts(actions: readonly ActionView[]): Set<unknown> {
  const hosts = new Set<unknown>();
  for (const { actionType, state, rollbackState, inputParameters: input } of actions) {
    const isInForce = state === 'SUCCEEDED' && rollbackState !== 'SUCCEEDED';
    if (!serviceActionTypes.includes(actionType) || !isInForce) continue;
    const host = input.resource_name ?? input.resource_id;
    if (input.state === 'disabled') hosts.add(host);
    else hosts.delete(host);
  }
  return hosts;
}

/**
 * Whether the instance of a migration is still on its source. If the migration was skipped as stale, the instance has
 * left or was deleted.
 */
function stays({ actionType, state, endReason, rollbackState }: ActionView): boolean {
  if (!migratingActionTypes.includes(actionType)) return false;
  const isUndone = rollbackState === 'SUCCEEDED';
  const isLeft = endReason === 'budget' || endReason === 'parent';
  return isUndone || isLeft || ['FAILED', 'CANCELLED', 'PENDING'].includes(state);
}

/** Requests a measurement of the plan's goal from a decision engine. */
export function measureOutcome(
  planUuid: string,
  phase: 'before' | 'after',
  newUuid: IdSource,
  delayMs = 0,
): OutboxMessage {
  const sent = message(outcomeMeasure, { plan_uuid: planUuid, phase });
  return { eventId: newUuid(), ...sent, delaySeconds: delayMs / 1000 };
}
