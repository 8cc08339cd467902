import { expect, it } from 'vitest';
import { useTestApi } from '../api/testing/test-api.ts';
import { runVigil } from './testing/run-vigil.ts';

const api = await useTestApi();
const url = await api.listen();

const vigil = (...args: string[]) => runVigil(['rules', ...args], { env: { VIGIL_API_URL: url } });

it('makes, shows, changes and removes a rule', async () => {
  const made = await vigil('create', 'dbs apart', '-k', 'keep_apart', '-i', 'db-*', '-m', 'role=db', '--json');
  expect(made.err).toBe('');
  expect(JSON.parse(made.out)).toMatchObject({
    instances: { names: ['db-*'], metadata: { role: 'db' } },
    strict: true,
  });
  expect((await vigil('set', 'dbs apart', '--max-per-host', '2', '--disable')).out).toContain('keep_apart');
  expect(JSON.parse((await vigil('list', '--json')).out)).toMatchObject([{ max_per_host: 2, enabled: false }]);
  expect((await vigil('show', 'dbs apart')).out).toContain('db-*');
  expect((await vigil('delete', 'dbs apart', '--json')).code).toBe(0);
  expect(JSON.parse((await vigil('list', '--json')).out)).toEqual([]);
});

it.each([
  [['create', 'x', '-k', 'keep_apat', '-i', 'a'], 'Did you mean keep_apart?'],
  [['create', 'x', '-k', 'leave_alone'], 'instances'],
  [['create', 'x', '-k', 'leave_alone', '-m', 'role'], 'key=pattern'],
  [['set', 'x'], 'specify at least one change'],
  [['set', 'x', '--strict', '--soft'], 'exclude each other'],
  [['show', 'x'], 'x'],
])('refuses %j', async (words, text) => {
  const { code, err } = await vigil(...words);
  expect(code).not.toBe(0);
  expect(err).toContain(text);
});
