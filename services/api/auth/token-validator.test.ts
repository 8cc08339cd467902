import { expect, it } from 'vitest';
import type { IdentityPort, ValidatedToken } from '#libs/openstack';
import { createTokenValidator } from './token-validator.ts';

const options = { requestId: 'req' };

function setUp(expiresAt: string, cacheMs = 60_000) {
  const state = { now: Date.parse('2026-01-01T00:00:00Z'), isKnown: true, calls: [] as unknown[] };
  const token: ValidatedToken = {
    userId: 'u',
    userName: 'u',
    projectId: null,
    projectName: null,
    domainId: null,
    roles: [],
    expiresAt,
  };
  const identity: IdentityPort = {
    token: async () => 'own',
    requester: async () => null,
    endpoint: async () => null,
    signIn: async () => null,
    projects: async () => [],
    revoke: async () => undefined,
    validate: async (_token, calls) => {
      state.calls.push(calls);
      return state.isKnown ? token : null;
    },
  };
  return { state, validate: createTokenValidator(identity, { now: () => state.now }, cacheMs) };
}

it('believes a token for the configured time, then honours its revocation', async () => {
  const { state, validate } = setUp('2026-01-02T00:00:00Z');
  expect(await Promise.all([validate('t', options), validate('t', options)])).toMatchObject([{ userId: 'u' }, {}]);
  expect(state.calls).toHaveLength(1);
  state.isKnown = false;
  state.now += 59_999;
  expect(await validate('t', options)).not.toBeNull();
  state.now += 1;
  expect(await validate('t', options)).toBeNull();
  state.isKnown = true;
  expect(await validate('t', options)).not.toBeNull();
});

it('never accepts a token past its expiry, and calls Keystone each time when caching is off', async () => {
  const { state, validate } = setUp('2026-01-01T00:00:10Z');
  expect(await validate('t', options)).not.toBeNull();
  state.now += 10_000;
  expect(await validate('t', options)).toBeNull();
  const careful = setUp('2026-01-02T00:00:00Z', 0);
  expect(await careful.validate('t', options)).not.toBeNull();
  await careful.validate('t', options);
  expect(careful.state.calls).toHaveLength(2);
});

it('has only tokens admitted that were not valid before', async () => {
  const { state, validate } = setUp('2026-01-02T00:00:00Z');
  let admitted = 0;
  const admit: NonNullable<Parameters<typeof validate>[1]['admit']> = (call) => {
    admitted += 1;
    return call();
  };
  await validate('t', { ...options, admit });
  state.now += 60_000;
  await validate('t', { ...options, admit });
  expect([admitted, state.calls.length]).toEqual([1, 2]);
  state.isKnown = false;
  state.now += 60_000;
  expect(await validate('t', { ...options, admit })).toBeNull();
  expect(await validate('t', { ...options, admit })).toBeNull();
  expect(admitted).toBe(2);
});

it('lets an expired token pass for a service, and only for that', async () => {
  const { state, validate } = setUp('2025-12-31T23:00:00Z');
  expect(await validate('t', { ...options, allowExpired: true })).not.toBeNull();
  expect(await validate('t', options)).toBeNull();
  expect(state.calls).toMatchObject([{ allowExpired: true }, { requestId: 'req' }]);
});

it('keeps a token that is in use, however many others come', async () => {
  const { state, validate } = setUp('2026-01-02T00:00:00Z');
  await validate('in use', options);
  for (let other = 0; other < 2500; other += 1) {
    await validate(`other ${other}`, options);
    if (other % 1000 === 0) await validate('in use', options);
  }
  await validate('in use', options);
  expect(state.calls).toHaveLength(2501);
});
