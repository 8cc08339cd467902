import type { EntityManager } from 'typeorm';
import { expect, test, vi } from 'vitest';
import { translateError } from '../connection/translate-error.ts';
import { StoreUnavailableError } from '../errors.ts';
import { runPrepared } from './run-statement.ts';

function managerOf(query: (config: object) => Promise<unknown>): EntityManager {
  return { connection: { driver: { master: { query } } } } as unknown as EntityManager;
}

test('a connection with an unlisted failure is unavailable', async () => {
  const broken = Object.assign(new Error('Cannot call write after a stream was destroyed'), {
    code: 'ERR_STREAM_DESTROYED',
  });
  const manager = managerOf(() => Promise.reject(broken));
  const error = await runPrepared(manager, { name: 'one', text: 'SELECT 1' }, []).catch(translateError);
  expect(error).toBeInstanceOf(StoreUnavailableError);
});

test('a statement with a name is prepared', async () => {
  const query = vi.fn(async () => ({ rows: [1] }));
  const statement = { name: 'one', text: 'SELECT $1' };
  expect(await runPrepared(managerOf(query), statement, [1])).toEqual([1]);
  expect(query).toHaveBeenCalledWith({ ...statement, values: [1] });
});
