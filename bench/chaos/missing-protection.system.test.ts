import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StackServers, startStackServers } from '../../verify/stack/servers.ts';
import { protections } from './protections.ts';
import { playScenario, type Scenario } from './scenario.ts';

// One of those of `npm run test:chaos`, which plays all of them with their protection as well.
const scenario = protections.find(({ protection }) => protection === 'a request without an answer is waited for');
let servers: StackServers;

beforeAll(async () => {
  servers = await startStackServers({ withBroker: false });
});
afterAll(() => servers.stop());

test('chaos sees that an applier does not wait for what the cloud does late', async () => {
  const { faults, lines } = await playScenario(servers, scenario as Scenario, false);
  expect(faults).toMatchObject({ untrue: 1 });
  expect(lines.join('\n')).toMatch(
    /^untrue: action \S+ \(migrate\) is FAILED \(.+\), but host is compute-\d+, not compute-\d+/m,
  );
});

test.each(protections)(
  'what is taken out so that it is missing is where it is looked for: $protection',
  ({ patches }) => {
    for (const { file, find } of patches) {
      expect(readFileSync(resolve('dist', file), 'utf8').split(find), file).toHaveLength(2);
    }
  },
);
