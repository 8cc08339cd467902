import { expect, test } from 'vitest';
import { mostEnded } from './ended-entities.ts';
import { firstKinds, mayFollow } from './live-kinds.ts';
import { createLiveStore, type LiveChange } from './live-store.ts';

const audit = (id: string, state: string): LiveChange => ({ kind: 'audit', id, entity: { uuid: id, state } });

const plan = (uuid: string, state: string): LiveChange => ({ kind: 'action_plan', id: uuid, entity: { uuid, state } });
const action = (uuid: string, of: string, state: string): LiveChange => ({
  ...{ kind: 'action', id: uuid, entity: { uuid, state, action_plan_uuid: of } },
});
const numbered = (count: number) => Array.from({ length: count }, (_, row) => `${row}`);

test('lists stay the same array until an entity of their kind changes', () => {
  const store = createLiveStore();
  store.apply([audit('a', 'PENDING')]);
  const before = store.list('audit');
  store.apply([{ kind: 'service', id: '1', entity: { id: 1 } }]);
  expect(store.list('audit')).toBe(before);
  store.apply([audit('a', 'ONGOING')]);
  expect(store.list('audit')).not.toBe(before);
  expect(store.get('audit', 'a')?.state).toBe('ONGOING');
});

test('the store drops removed entities, and a full state replaces all entities in one step', () => {
  const store = createLiveStore();
  store.apply([audit('a', 'PENDING'), audit('b', 'PENDING')]);
  store.apply([{ kind: 'audit', id: 'a', entity: null }]);
  expect(store.list('audit')).toHaveLength(1);

  const seen: number[] = [];
  store.subscribe(() => seen.push(store.list('audit').length));
  store.apply([audit('c', 'PENDING'), audit('d', 'PENDING')], { restart: true });
  expect(seen).toEqual([2]);
  expect(store.get('audit', 'b')).toBeUndefined();
});

test('subscribers hear of the connection once a change, and no more after they have left', () => {
  const store = createLiveStore();
  const seen: string[] = [];
  const leave = store.subscribe(() => seen.push(store.status()));
  store.setStatus('live');
  store.setStatus('live');
  store.setStatus('reconnecting');
  leave();
  store.setStatus('live');
  expect(seen).toEqual(['live', 'reconnecting']);
});

test('a subscriber of one kind gets no changes of others', () => {
  const store = createLiveStore();
  const seen: string[] = [];
  store.subscribe(() => seen.push('tasks'), ['task']);
  store.subscribe(() => seen.push('audits'), ['audit', 'action']);
  store.apply([audit('a', 'PENDING'), audit('b', 'PENDING')]);
  store.apply([{ kind: 'task', id: 't', entity: { uuid: 't' } }]);
  store.setStatus('reconnecting');
  expect(seen).toEqual(['audits', 'tasks']);
  store.apply([], { restart: true });
  expect(seen).toEqual(['audits', 'tasks', 'tasks', 'audits']);
});

test('a kind is requested once, and only when the policy allows it', () => {
  const permissions = ['audit:get', 'data_model:get_all'];
  const store = createLiveStore(firstKinds(permissions), (kind) => mayFollow(kind, permissions));
  let requested = 0;
  store.onWanted(() => requested++);
  expect(store.kinds()).toEqual(['audit', 'data_model']);
  store.want('task');
  store.want('audit');
  expect(requested).toBe(0);
  const operator = createLiveStore(firstKinds([...permissions, 'internal:read']), () => true);
  operator.onWanted(() => requested++);
  operator.want('task');
  operator.want('task');
  expect(requested).toBe(1);
  expect(operator.kinds().at(-1)).toBe('task');
});

test('the position is that of the full state, until anything changes', () => {
  const store = createLiveStore();
  expect(store.position()).toBeNull();
  store.apply([audit('a', 'PENDING')], { restart: true, position: '1:7' });
  expect(store.position()).toBe('1:7');
  store.apply([audit('a', 'ONGOING')]);
  expect(store.position()).toBeNull();
});

test('of ended plans the store keeps the last that ended, and all others', () => {
  const store = createLiveStore();
  store.apply([plan('open', 'RECOMMENDED'), plan('long', 'ONGOING')]);
  const most = mostEnded.action_plan;
  for (const id of numbered(most + 10)) store.apply([plan(id, 'ONGOING')]);
  expect(store.list('action_plan')).toHaveLength(most + 12);
  for (const id of numbered(most + 10)) store.apply([plan(id, 'SUCCEEDED')]);
  store.apply([plan('long', 'FAILED')]);
  expect(store.list('action_plan')).toHaveLength(most + 1);
  for (const id of ['open', 'long', '11']) expect(store.get('action_plan', id)).toBeDefined();
  expect(store.get('action_plan', '10')).toBeUndefined();
  store.apply([
    plan('12', 'SUCCEEDED'),
    plan('13', 'RECOMMENDED'),
    ...numbered(most + 1).map((id) => plan(`x${id}`, 'FAILED')),
  ]);
  expect(store.get('action_plan', '13')).toBeDefined();
  store.apply([], { restart: true });
  store.apply(numbered(most).map((id) => plan(id, 'FAILED')));
  expect(store.list('action_plan')).toHaveLength(most);
});

test('actions stay as long as their plan runs, and the last ended ones stay after it', () => {
  const store = createLiveStore();
  const most = mostEnded.action;
  store.apply([plan('p', 'ONGOING'), ...numbered(most + 10).map((id) => action(id, 'p', 'SUCCEEDED'))]);
  expect(store.list('action')).toHaveLength(most + 10);
  store.apply([plan('p', 'SUCCEEDED'), plan('q', 'ONGOING'), action('q1', 'q', 'ONGOING')]);
  expect(store.list('action')).toHaveLength(most + 1);
  expect(store.get('action', 'q1')).toBeDefined();
});

test('entries of the audit log cause reads and are not kept', () => {
  const store = createLiveStore();
  let changes = 0;
  store.subscribe(() => changes++, ['audit_log']);
  store.apply([{ kind: 'audit_log', id: '1', entity: { id: 1 } }]);
  expect([changes, store.list('audit_log').length]).toEqual([1, 0]);
});
