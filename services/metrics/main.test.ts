import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { run } from './main.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** A Keystone that accepts connections, and ends them without a response. */
async function startBrokenKeystone(): Promise<string> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`;
}

test('metrics check reports a Keystone without responses in one line', async () => {
  const environment = {
    USERNAME: 'vigil',
    PASSWORD: 'vigil',
    PROJECT_NAME: 'service',
    AUTH_URL: await startBrokenKeystone(),
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(`OS_${name}`, value);
  vi.stubEnv('VIGIL_DATABASE_URL', 'postgres://nobody@127.0.0.1:1/vigil');
  let printed = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });

  expect(await run(['check'])).toBe(2);

  expect(printed.trimEnd().split('\n')).toHaveLength(1);
  expect(printed).toMatch(/^vigil metrics: .*Keystone/);
});
