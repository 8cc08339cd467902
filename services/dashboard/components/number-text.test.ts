import { expect, test } from 'vitest';
import { fieldNumber } from './number-text.ts';

test('numbers of fields have grouped digits, but identifiers keep theirs', () => {
  expect(fieldNumber('moved_memory', 22589)).toBe('22,589');
  expect(fieldNumber('width', 1234)).toBe('1,234');
  expect(['pid', 'id', 'process_id'].map((name) => fieldNumber(name, 22589))).toEqual(['22589', '22589', '22589']);
});
