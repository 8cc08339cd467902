import { expect, test } from 'vitest';
import { hostLinks, instanceLinks } from './external-links-of.ts';

const links = {
  grafana_host: 'https://g/d/node?var-host={host}&x={other}',
  grafana_instance: 'https://g/d/vm?var-id={uuid}&name={name}',
  horizon: 'https://h/dashboard/',
};

test('links are filled in, and names cannot leave their place in them', () => {
  expect(hostLinks(links, 'a&b/c').map(({ url }) => url)).toEqual([
    'https://g/d/node?var-host=a%26b%2Fc&x={other}',
    'https://h/dashboard/admin/hypervisors/',
  ]);
  expect(instanceLinks(links, { uuid: 'u', name: 'my vm' }).map(({ url }) => url)).toEqual([
    'https://g/d/vm?var-id=u&name=my%20vm',
    'https://h/dashboard/admin/instances/u/detail',
  ]);
});

test('without configuration there are none', () => {
  const none = { grafana_host: null, grafana_instance: null, horizon: null };
  expect([...hostLinks(none, 'a'), ...instanceLinks(none, { uuid: 'u', name: 'n' })]).toEqual([]);
});
