import { expect, test } from 'vitest';
import { hostForecastPath } from './host-forecast-path.ts';

test('names of hosts are escaped in the path', () => {
  expect(hostForecastPath('rack 1/c?')).toBe('forecasts/hosts/rack%201%2Fc%3F?hours=24');
});
