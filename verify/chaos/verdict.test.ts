import { describe, expect, test } from 'vitest';
import { followCloudLog, type LoggedRequest, mutationOf } from '../stack/cloud-log.ts';
import { contradictionsOf } from './claims.ts';
import { falseFailures, foreignAborts } from './failures.ts';
import { moveSpec } from './plan-specs.ts';
import { duplicates } from './verdict.ts';

const one = '11111111-1111-4111-8111-111111111111';
const two = '22222222-2222-4222-8222-222222222222';

function request(number: number, changes: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    ...{ number, method: 'POST', path: '/compute/v2.1/servers/s/action', body: { 'os-migrateLive': { host: 'b' } } },
    ...{ requestId: `r${number}`, globalRequestId: `req-${one}`, status: 202, at: 10 * number, pending: false },
    doneAt: 10 * number + 1,
    ...changes,
  };
}
const mutations = (...requests: LoggedRequest[]) => requests.flatMap(mutationOf);

describe('duplicated changes', () => {
  test('a move that is requested again after it was accepted', () => {
    expect(duplicates(mutations(request(1), request(2, { status: 409 })))).toHaveLength(1);
  });

  test('a move that took effect late, after it was requested again, only if both were accepted', () => {
    const late = request(1, { doneAt: 99 });
    expect(duplicates(mutations(late, request(2, { status: 409 })))).toEqual([]);
    expect(duplicates(mutations(late, request(2)))).toHaveLength(1);
  });

  test('not the way back, nor the confirmation of each of two moves', () => {
    const cold = (number: number, host: string) => request(number, { body: { migrate: { host } } });
    const confirm = (number: number) => request(number, { body: { confirmResize: null }, status: 204 });
    const back = mutations(cold(1, 'b'), confirm(2), cold(3, 'a'), confirm(4));
    expect(duplicates(back)).toEqual([]);
    expect(duplicates([...back, ...mutations(confirm(5))])).toHaveLength(1);
  });
});

describe('claims of actions about a thing', () => {
  const thing = { kind: 'server', id: 's' } as const;
  const there = moveSpec({ thing, aspect: 'host', from: 'a', to: 'b' });
  const back = moveSpec({ thing, aspect: 'host', from: 'b', to: 'a' });
  const row = (spec: typeof there, state: string, rollbackState: string | null = null) =>
    ({ ...spec, state, rollbackState }) as never;
  const revert = (spec: typeof there, state: string) =>
    ({
      uuid: two,
      actionType: 'revert',
      inputParameters: { action_uuid: spec.uuid },
      state,
      rollbackState: null,
    }) as never;
  const texts = (rows: never[], host: string, requested: string[] = []) =>
    contradictionsOf([there, back], rows, { host: 'a' }, { host }, new Set(requested)).length;

  test.each([
    ['SUCCEEDED, and it is there', [row(there, 'SUCCEEDED')], 'b', 0],
    ['SUCCEEDED, and it is not', [row(there, 'SUCCEEDED')], 'a', 1],
    ['FAILED, and it stayed', [row(there, 'FAILED')], 'a', 0],
    ['FAILED, and it is there', [row(there, 'FAILED')], 'b', 1],
    ['CANCELLED, and it is there', [row(there, 'CANCELLED')], 'b', 1],
    ['there and back', [row(there, 'SUCCEEDED'), row(back, 'SUCCEEDED')], 'a', 0],
    ['there, and not back', [row(there, 'SUCCEEDED'), row(back, 'FAILED')], 'b', 0],
    ['not back, and it is back', [row(there, 'SUCCEEDED'), row(back, 'FAILED')], 'a', 1],
    ['rolled back', [row(there, 'SUCCEEDED', 'SUCCEEDED')], 'a', 0],
    ['rolled back, and it is still there', [row(there, 'SUCCEEDED', 'SUCCEEDED')], 'b', 1],
    ['not rolled back, and it is', [row(there, 'SUCCEEDED', 'FAILED')], 'a', 1],
    ['not rolled back', [row(there, 'SUCCEEDED', 'FAILED')], 'b', 0],
    ['undone by a separate plan', [row(there, 'SUCCEEDED'), revert(there, 'SUCCEEDED')], 'a', 0],
    ['not undone by a separate plan', [row(there, 'SUCCEEDED'), revert(there, 'SUCCEEDED')], 'b', 1],
  ])('%s', (_name, rows, host, count) => {
    expect(texts(rows, host)).toBe(count);
  });

  test('undone by a separate plan, which had something to undo only if it requested it', () => {
    const rows = [row(there, 'SUCCEEDED', 'FAILED'), revert(there, 'SUCCEEDED')];
    expect(texts(rows, 'a', [two])).toBe(0);
    expect(texts(rows, 'a')).toBe(1);
  });
});

describe('failures without a cause in the cloud', () => {
  const action = { uuid: one, actionType: 'migrate', state: 'FAILED', statusMessage: 'no', parents: [] } as const;
  const failed = { ...action, inputParameters: { resource_id: 's' } };
  const none = { migrations: [], failedResources: new Set<string>(), disturbed: new Set<string>() };
  const count = (truth: object, row: object = failed) =>
    falseFailures([row as never], { ...none, mutations: [], ...truth }).length;

  test.each([
    ['the cloud did all that was requested', { mutations: mutations(request(1)) }, 1],
    ['the cloud received no request', {}, 1],
    [
      'an earlier request got lost, the last was accepted',
      { mutations: mutations(request(1, { status: null, doneAt: null }), request(2)) },
      1,
    ],
    ['the last request was refused', { mutations: mutations(request(1, { status: 503 })) }, 0],
    [
      'the migration failed',
      { mutations: mutations(request(1)), migrations: [{ id: 7, server: 's', status: 'error', request_id: 'r1' }] },
      0,
    ],
    ['the volume failed', { failedResources: new Set(['s']) }, 0],
    ['another user moved it', { mutations: mutations(request(1)), disturbed: new Set([one]) }, 0],
  ])('%s', (_name, truth, expected) => {
    expect(count(truth)).toBe(expected);
  });

  test('an action that was made to fail', () => {
    expect(count({}, { ...failed, inputParameters: { fail_execute: true } })).toBe(0);
  });
});

test('only the action that requested a migration may abort it', () => {
  const abort = request(2, { method: 'DELETE', path: '/compute/v2.1/servers/s/migrations/7', body: null });
  const foreign = request(1, { globalRequestId: null });
  const migrations = [{ id: 7, server: 's', status: 'cancelled', request_id: 'r1' }];
  const truth = { migrations, failedResources: new Set<string>(), disturbed: new Set<string>() };
  expect(foreignAborts({ ...truth, mutations: mutations(foreign, abort) })).toHaveLength(1);
  expect(foreignAborts({ ...truth, mutations: mutations(request(1), abort) })).toEqual([]);
});

test('an object is read once no request about it is in progress', async () => {
  const foreign = { globalRequestId: null, path: '/compute/v2.1/servers/s/action' };
  const responses = [
    [request(1, { ...foreign, status: null, pending: true })],
    [request(1, { ...foreign, status: null, pending: true })],
    [request(1, foreign)],
  ];
  let reads = 0;
  const log = followCloudLog(async () => responses[reads++] ?? []);
  await log.quiet({ actions: new Set([two]), ids: ['s'] }, () => false);
  expect(reads).toBe(3);
});
