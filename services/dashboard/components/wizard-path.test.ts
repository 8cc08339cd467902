import { expect, test } from 'vitest';
import { wizardPath, wizardStartOf } from './wizard-path.ts';

const startOf = (path: string) => wizardStartOf(new URL(path, 'http://dashboard').searchParams);

test('the initial values of the wizard survive its URL', () => {
  const start = { strategy: 'host_maintenance', parameters: { maintenance_node: 'a&b' }, leftOut: ['c d', 'e'] };
  expect(startOf(wizardPath(start))).toEqual(start);
  expect(startOf(wizardPath({ leftOut: ['c'] }))).toEqual({ strategy: null, parameters: {}, leftOut: ['c'] });
});

test.each(['parameters=', 'parameters={', 'parameters=[1]', 'parameters=null'])('%s is nothing', (query) => {
  expect(startOf(`/audits/new?${query}`).parameters).toEqual({});
});
