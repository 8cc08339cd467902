import { expect, test } from 'vitest';
import { useStore } from '#tests';

const { store } = await useStore();

const request = { caller: 'p u', key: 'k', requestHash: 'h' };
const entity = '11111111-2222-4333-8444-555555555555';

test('a key is claimed once, keeps its response, and is deleted', async () => {
  const { idempotencyKeys } = store.db;
  expect(await idempotencyKeys.find('p u', 'k')).toBeNull();
  expect(await idempotencyKeys.claim(request, entity)).toBe(true);
  expect(await idempotencyKeys.claim(request, entity)).toBe(false);
  expect(await idempotencyKeys.claim({ ...request, caller: 'other' }, entity)).toBe(true);
  expect(await idempotencyKeys.find('p u', 'k')).toEqual({ requestHash: 'h', entityUuid: entity, response: null });
  const response = { status: 201, headers: { location: 'x' }, body: '{"a":1}' };
  await idempotencyKeys.keepResponse('p u', 'k', response);
  expect(await idempotencyKeys.find('p u', 'k')).toEqual({ requestHash: 'h', entityUuid: entity, response });
  expect(await idempotencyKeys.prune(3600)).toBe(0);
  expect(await idempotencyKeys.prune(-1)).toBe(2);
});

test('a key of a failed transaction is free; one of a running transaction is waited for', async () => {
  await expect(
    store.transaction(async (unit) => {
      await unit.idempotencyKeys.claim({ ...request, key: 'failed' }, entity);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await store.db.idempotencyKeys.find('p u', 'failed')).toBeNull();
  const claims = await Promise.all(
    [1, 2, 3].map(() => store.transaction((unit) => unit.idempotencyKeys.claim({ ...request, key: 'race' }, entity))),
  );
  expect(claims.filter(Boolean)).toHaveLength(1);
});
