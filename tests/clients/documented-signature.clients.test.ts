import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllowedHosts } from '#libs/notification-targets';
import { useTestApi } from '../../services/api/testing/test-api.ts';
import { runVigil } from '../../services/cli/testing/run-vigil.ts';
import { startDelivering } from '../../services/scheduler/testing/delivery-scene.ts';
import { respond, startReceiver } from '../../services/scheduler/testing/recording-receiver.ts';
import { testServerUrl } from '../servers/test-server-url.ts';

const receiver = await startReceiver([respond(200)]);
const api = await useTestApi({ targetHosts: () => parseAllowedHosts(['http://receiver.test']) });
const url = await api.listen();
startDelivering(api.store);

const json = async (...args: string[]) => {
  const run = await runVigil(['notification', ...args, '--json'], { env: { VIGIL_API_URL: url }, pollMs: 50 });
  return JSON.parse(run.out);
};

it('the documented lines of Python verify a signature, and refuse a changed body', async () => {
  const { secret } = await json('target', 'create', 'python', '--address', receiver.url());
  await json('test', 'python');
  const { headers, body } = receiver.requests.at(-1) ?? { headers: {}, body: '' };
  const page = readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8');
  const [, code] = /```python\n([\s\S]*?)```/.exec(page) ?? [];
  const given = (text: string) => JSON.stringify({ secret, headers, body: text });
  const program = `${code}
import json, sys
given = json.loads(sys.stdin.read())
verify(given["secret"], given["headers"], given["body"].encode())
print("right")`;
  const run = (text: string) =>
    execFileSync(testServerUrl('pythonClients'), ['-c', program], { input: given(text), stdio: 'pipe' }).toString();
  expect(run(body)).toBe('right\n');
  expect(() => run(`${body} `)).toThrow(/wrong signature/);
});
