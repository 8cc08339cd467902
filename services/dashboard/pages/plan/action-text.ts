import { type Action, subjectOf } from '#libs/client';
import { wholePercent } from '../../components/number-text.ts';
import { wordsOf } from '../../texts/api-names.ts';

export { routeOf, subjectOf } from '#libs/client';

/** Names the ids in messages about a plan: its actions and their subjects. */
export function namesIn(
  actions: readonly Pick<Action, 'uuid' | 'action_type' | 'input_parameters'>[],
): (uuid: string) => string | undefined {
  const names = new Map<string, string>();
  for (const action of actions) {
    const subject = subjectOf(action);
    if (subject === '') continue;
    names.set(action.uuid, subject);
    const { resource_id: id } = action.input_parameters as Record<string, unknown>;
    if (typeof id === 'string') names.set(id, subject);
  }
  return (uuid) => names.get(uuid);
}

/** The type of an action in words, such as `Migrate`. */
export function typeText(type: string): string {
  return wordsOf(type);
}

/** The type of an action and its subject, such as `Migrate vm-1`. */
export function actionLabel(action: Pick<Action, 'action_type' | 'input_parameters'>): string {
  return `${typeText(action.action_type)} ${subjectOf(action)}`.trim();
}

/** Progress of a running action, such as `42 %`. Empty if unknown. */
export function progressOf(action: { state: string; progress?: number }): string {
  return action.state === 'ONGOING' && action.progress !== undefined ? wholePercent(action.progress * 100) : '';
}
