import { routeOf, subjectOf, wordsOf } from '#libs/client';
import { wholePercent } from '../../services/dashboard/components/number-text.ts';
import { text } from '../../tests/browser/texts.ts';
import type { ApiAction, ApiPlan } from './api-plan.ts';
import { durationWords, estimateWords } from './duration-words.ts';
import type { Shown } from './read-page.ts';
import { joined } from './read-tab.ts';

type LibAction = Parameters<typeof routeOf>[0];

/** From this number on, the graph draws similar actions as one box. */
const groupedFrom = 60;

const route = (action: ApiAction) => routeOf(action as unknown as LibAction);
const nameOf = (action: ApiAction) => `${wordsOf(action.action_type)} ${subjectOf(action as unknown as LibAction)}`;

/**
 * The groups of the run with their progress, and the time left of a plan that can start. Groups of completed actions
 * are folded while others are open.
 */
export function expectedRun({ actions, state, duration }: ApiPlan): Shown {
  const groups = groupsOf(actions);
  const isDone = (group: readonly ApiAction[]) => group.every((action) => action.state === 'SUCCEEDED');
  const isAllDone = [...groups.values()].every(isDone);
  const shown = [...groups].filter(([, group]) => isAllDone || !isDone(group));
  const isOpen = state === 'RECOMMENDED' || state === 'PENDING';
  const left = text('duration.left', { time: estimateWords(duration.seconds, duration) });
  return new Map([
    ...shown.map(([title, group]) => [`lane ${title}`, progressOf(group)] as const),
    ...(isOpen && actions.length > 0 ? [['time left', left] as const] : []),
  ]);
}

/** Migrations by their source or by their destination, whichever is fewer, other actions by type and detail. */
function groupsOf(actions: readonly ApiAction[]): Map<string, ApiAction[]> {
  const ends = actions.map((action) => route(action).split(' → '));
  const moves = ends.filter(({ length }) => length === 2);
  const bySource = new Set(moves.map(([from]) => from)).size < new Set(moves.map(([, to]) => to)).size;
  const groups = new Map<string, ApiAction[]>();
  for (const [place, action] of actions.entries()) {
    const [from = '', to] = ends[place] ?? [];
    const type = wordsOf(action.action_type);
    const move = bySource ? text('plan.laneFrom', { host: from }) : text('plan.laneTo', { host: to ?? '' });
    const title = to === undefined ? [type, from].filter((part) => part !== '').join(': ') : move;
    groups.set(title, [...(groups.get(title) ?? []), action]);
  }
  return groups;
}

function progressOf(group: readonly ApiAction[]): string {
  const count = (state: string) => group.filter((action) => action.state === state).length;
  const [failed, cancelled, skipped] = [count('FAILED'), count('CANCELLED'), count('SKIPPED')];
  return [
    text('count.done', { succeeded: count('SUCCEEDED'), total: group.length }),
    ...(failed > 0 ? [text('count.failed', { failed })] : []),
    ...(cancelled > 0 ? [text('count.cancelled', { cancelled })] : []),
    ...(skipped > 0 ? [text('count.skipped', { skipped })] : []),
  ].join(', ');
}

/** The boxes of the graph in words, and the title with their number. */
export function expectedGraph({ actions }: ApiPlan): Shown {
  const boxes = actions.map((action) => {
    const waits = action.parents.length;
    const parts = [nameOf(action), route(action), action.state, waits > 0 ? text('graph.waits', { count: waits }) : ''];
    return ['step', parts.filter((part) => part !== '').join(', ')] as const;
  });
  const title = ['title', text('graph.title', { count: actions.length })] as const;
  return joined(actions.length > groupedFrom ? [title] : [...boxes, title]);
}

/** The titles of the changed hosts in the map of a quantity. */
export function expectedMap({ hosts, actions }: ApiPlan, quantity: 'vcpus' | 'memory' | 'disk'): Shown {
  const hasStarted = actions.some(({ state }) => state !== 'PENDING' && state !== 'SKIPPED');
  return new Map(
    hosts.map((host) => {
      const { hostname, before, after, so_far: soFar, capacity } = host;
      const share = (use: typeof before) => {
        const [used, all] = [use?.[quantity], capacity?.[quantity]];
        return used === undefined || !all ? null : (100 * used) / all;
      };
      const written = (part: number | null) => (part === null ? text('map.unknown') : wholePercent(part));
      const values = { before: written(share(before)), after: written(share(after)) };
      const now = written(share(hasStarted ? soFar : before));
      return [`host ${hostname}`, text('map.changed', { host: hostname, share: now, ...values })] as const;
    }),
  );
}

/** The bars of the actions that have started, with their length and state. */
export function expectedTimeline({ actions, times }: ApiPlan): Shown {
  const byUuid = new Map(actions.map((action) => [action.uuid, action]));
  return joined(
    times.flatMap(({ action_uuid: uuid, started_at: started, ended_at: ended }) => {
      const action = byUuid.get(uuid);
      // A bar without an end grows with the clock.
      if (!action || started === null || ended === null) return [];
      const seconds = Math.max(0, Date.parse(ended) - Date.parse(started)) / 1000;
      return [[`bar ${nameOf(action).trim()}`, `${durationWords(seconds)}, ${action.state}`] as const];
    }),
  );
}
