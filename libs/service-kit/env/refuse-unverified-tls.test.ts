import { expect, it } from 'vitest';
import { checkConfiguration } from './check-configuration.ts';
import { requireDatabaseUrl } from './common-env.ts';
import { refuseUnverifiedTls } from './refuse-unverified-tls.ts';

const url = 'postgres://vigil:secret@a:5432,b:5432/vigil';

it.each(['sslmode=no-verify', 'ssl=no-verify', 'sslmode=require&uselibpqcompat=true'])(
  'a process refuses a database URL with %s, without its password',
  (query) => {
    const read = () => requireDatabaseUrl({ VIGIL_DATABASE_URL: `${url}?${query}` });
    expect(read).toThrow(/turns off the verification of certificates: use sslmode=verify-full/);
    expect(read).not.toThrow(/secret/);
  },
);

it('a process refuses PGSSLMODE=no-verify', () => {
  expect(() => refuseUnverifiedTls(url, { PGSSLMODE: 'no-verify' })).toThrow(/PGSSLMODE=no-verify/);
});

it('a process refuses NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
  const check = (value: string) => checkConfiguration({}, [], { NODE_TLS_REJECT_UNAUTHORIZED: value });
  await expect(check('0')).rejects.toThrow(/NODE_TLS_REJECT_UNAUTHORIZED=0/);
  await expect(check('1')).resolves.toEqual({});
});

it.each(['', '?sslmode=verify-full&sslrootcert=/ca.pem', '?sslmode=disable'])('a process accepts %s', (query) => {
  expect(requireDatabaseUrl({ VIGIL_DATABASE_URL: `${url}${query}` })).toBe(`${url}${query}`);
});
