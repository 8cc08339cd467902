import { expect, test } from 'vitest';
import { useEnglishTexts } from '../../../../tests/browser/texts.ts';
import { actionLabel } from './action-text.ts';

useEnglishTexts();

test.each([
  ['migrate', { resource_id: '11111111-1111-4111-8111-111111111111', resource_name: 'vm-1' }, 'Migrate vm-1'],
  ['nop', { message: 'hello' }, 'Nop'],
])('the label of the action %s has no blank at its end', (type, parameters, label) => {
  expect(actionLabel({ action_type: type, input_parameters: parameters })).toBe(label);
});
