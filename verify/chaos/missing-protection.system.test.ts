import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StackServers, startStackServers } from '../stack/servers.ts';
import { protections } from './protections.ts';
import { playScenario, type Scenario } from './scenario.ts';

// `npm run test:chaos` plays all scenarios, with and without their protection.
const scenario = protections.find(
  ({ protection }) => protection === 'the applier waits for the effect of a request without a response',
);
let servers: StackServers;

beforeAll(async () => {
  servers = await startStackServers({ withBroker: false });
});
afterAll(() => servers.stop());

test('chaos detects an applier that ignores late effects of its requests', async () => {
  const { faults, lines } = await playScenario(servers, scenario as Scenario, false);
  expect(faults).toMatchObject({ untrue: 1 });
  expect(lines.join('\n')).toMatch(
    /^untrue: action \S+ \(migrate\) is FAILED \(.+\), but host is compute-\d+, not compute-\d+/m,
  );
});

test.each(protections)('every patch finds the code that it removes: $protection', ({ patches }) => {
  for (const { file, find } of patches) {
    expect(readFileSync(resolve('dist', file), 'utf8').split(find), file).toHaveLength(2);
  }
});
