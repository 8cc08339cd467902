import { expect, test } from 'vitest';
import { valuesInPath } from './values-in-path.ts';

test('named segments of a path have their decoded values', () => {
  expect(valuesInPath('plans/:uuid', '/plans/1f')).toEqual({ uuid: '1f' });
  expect(valuesInPath('plans/:uuid', '/plans/1f/')).toEqual({ uuid: '1f' });
  expect(valuesInPath('cluster/hosts/:hostname', '/cluster/hosts/rack%201')).toEqual({ hostname: 'rack 1' });
  expect(valuesInPath('plans/:uuid', '/plans/100%')).toEqual({ uuid: '100%' });
  expect(valuesInPath('plans', '/plans')).toEqual({});
});

test('a path with another name or length does not match', () => {
  expect(valuesInPath('plans/:uuid', '/audits/1f')).toBeUndefined();
  expect(valuesInPath('plans/:uuid', '/plans')).toBeUndefined();
  expect(valuesInPath('plans/:uuid', '/plans/1f/report')).toBeUndefined();
});
