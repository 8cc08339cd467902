import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StackServers, startStackServers } from '../stack/servers.ts';
import { protections } from './protections.ts';
import { playScenario } from './scenario.ts';

let servers: StackServers;
beforeAll(async () => {
  servers = await startStackServers({ withBroker: false });
});
afterAll(() => servers.stop());

describe.each(protections.map((scenario) => [scenario.protection, scenario] as const))('%s', (_name, scenario) => {
  test('nothing is wrong', async () => {
    const { faults, lines } = await playScenario(servers, scenario, true);
    expect(Object.values(faults), lines.join('\n')).toEqual(Object.values(faults).map(() => 0));
  });

  test(`without it, ${scenario.shows} is not 0`, async () => {
    const { faults, lines } = await playScenario(servers, scenario, false);
    expect(faults[scenario.shows], lines.join('\n')).toBeGreaterThan(0);
  });
});
