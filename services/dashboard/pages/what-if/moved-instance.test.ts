import { expect, test } from 'vitest';
import { isUuid, moveOf, withMove } from './moved-instance.ts';

const uuid = '11111111-1111-4111-8111-111111111111';
const other = { instance: '22222222-2222-4222-8222-222222222222', host: 'b' };

test.each([uuid, 'web'])('a further move of an instance replaces the one of a link that calls it %s', (instance) => {
  const moves = [{ instance, host: 'a' }, other];
  expect(withMove(moves, { uuid, name: 'web' }, 'c')).toEqual([other, { instance: uuid, host: 'c' }]);
  expect(moveOf(moves, { uuid, name: 'web' })?.host).toBe('a');
});

test('an instance whose name is not known has the moves of its uuid only', () => {
  expect(moveOf([{ instance: 'web', host: 'a' }], { uuid, name: null })).toBeUndefined();
  expect([uuid, 'web', '11111111'].map(isUuid)).toEqual([true, false, false]);
});
