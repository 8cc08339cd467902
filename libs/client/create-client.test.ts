import { expect, test } from 'vitest';
import { createVigilClient, type VigilClient } from './create-client.ts';

test.each<[string, (client: VigilClient) => Promise<unknown>]>([
  ['a list', (client) => client.list('actions')],
  ['an entry', (client) => client.get('action_plans', 'some-plan')],
  ['a typed call', (client) => client.api.GET('/v1/goals')],
])('a client without a login sends within the call: %s', async (_, call) => {
  let sent = 0;
  const client = createVigilClient({
    url: 'http://api',
    fetch: async () => {
      sent += 1;
      return Response.json({ actions: [], goals: [] });
    },
  });
  const response = call(client);
  expect(sent).toBe(1);
  await response;
});
