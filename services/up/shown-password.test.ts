import { expect, it } from 'vitest';
import { shownPassword } from './shown-password.ts';

it('vigil up prints the default password of the simulated cloud and no configured one', () => {
  expect(shownPassword('vigil')).toBe('password vigil');
  expect(shownPassword('hunter2')).not.toContain('hunter2');
});
