import { routeOf, subjectOf, wordsOf } from '#libs/client';
import { text } from '../../tests/browser/texts.ts';
import type { ApiAction, ApiPlan } from './api-plan.ts';
import type { Shown } from './read-page.ts';

type LibAction = Parameters<typeof routeOf>[0];

/** Actions that the page of a plan names as parents of one. */
const namedParents = 2;
const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const apiName = /(?<![\w/.-])[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?![\w/])/;

const subject = (action: ApiAction) => subjectOf(action as unknown as LibAction);
const nameOf = (action: ApiAction) => `${wordsOf(action.action_type)} ${subject(action)}`.trim();

/** Where an action goes. */
export const routeText = (action: ApiAction) => routeOf(action as unknown as LibAction);

/** A message as the page writes it: ids of the actions of a plan and of their subjects are names. */
function written(message: string, actions: readonly ApiAction[]): string {
  const names = new Map<string, string>();
  for (const action of actions) {
    const name = subject(action);
    if (name === '') continue;
    names.set(action.uuid, name);
    names.set(String(action.input_parameters.resource_id), name);
  }
  return message.replaceAll(uuids, (uuid) => names.get(uuid) ?? uuid.slice(0, 8));
}

/** The rows of actions in the report (`isReport`), or in their tab. */
export function expectedActions({ actions }: ApiPlan, isReport: boolean): Shown {
  const shown: Shown = new Map();
  const add = (name: string, content: string) => {
    const value = content === '' && !isReport ? '–' : content;
    shown.set(name, shown.has(name) ? `${shown.get(name)}\n${value}` : value);
  };
  const names = new Map(actions.map((action) => [action.uuid, nameOf(action)]));
  const waits = ({ parents }: ApiAction) => {
    if (parents.length === 0) return text('plan.waitsForNothing');
    const named = parents.slice(0, namedParents).map((uuid) => names.get(uuid) ?? uuid);
    const count = parents.length - named.length;
    return `${named.join(', ')}${count > 0 ? ` ${text('common.andMore', { count })}` : ''}`;
  };
  for (const action of actions) {
    const row = `${text('column.actions')}: ${nameOf(action)}`;
    add(`${row}: ${text('column.state')}`, action.state);
    add(`${row}: ${text('plan.location')}`, routeText(action));
    if (!isReport) add(`${row}: ${text('plan.waitsFor')}`, waits(action));
    add(`${row}: ${text('plan.message')}`, written(action.status_message || (isReport ? '–' : ''), actions));
  }
  return shown;
}

/**
 * Sentences next to the parts of a page: messages of the plan and its failed actions, and the actions these blocked.
 */
export function knownSentences({ message, actions }: ApiPlan): Set<string> {
  const failed = actions.filter(({ state }) => state === 'FAILED');
  const reasons = failed.map(({ status_message: reason }) => (reason ?? '').replace(/^Action failed in \w+: /, ''));
  const sentences = [...(message === null ? [] : [message]), ...reasons].flatMap((sentence) =>
    // Ids and names of the API are elements within a sentence.
    [sentence, ...sentence.split(uuids).flatMap((part) => part.split(apiName)), written(sentence, actions)],
  );
  return new Set([
    ...sentences.map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim()),
    ...failed.map(routeText),
    ...failed.map((action) => blockedText(action, actions)),
    text('plan.failed', { count: failed.length }),
  ]);
}

/** The actions that never ran because one failed, directly or behind others. */
function blockedText({ uuid }: ApiAction, actions: readonly ApiAction[]): string {
  const blocked: ApiAction[] = [];
  const behind = [uuid];
  for (let last = behind.pop(); last !== undefined; last = behind.pop()) {
    for (const action of actions) {
      const hasEnded = action.state === 'SKIPPED' || action.state === 'CANCELLED';
      if (!hasEnded || !action.parents.includes(last) || blocked.includes(action)) continue;
      blocked.push(action);
      behind.push(action.uuid);
    }
  }
  const names = blocked.slice(0, 3).map((action) => subject(action) || wordsOf(action.action_type));
  const count = blocked.length - names.length;
  const more = count > 0 ? ` ${text('common.andMore', { count })}` : '';
  return text('plan.blocked', { names: names.join(', '), more });
}
