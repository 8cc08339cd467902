import { expect, test } from 'vitest';
import { maySee } from './page-groups.ts';

test('a page and its subpages need their rule, and no page is visible without any permission', () => {
  expect(maySee('/plans/1', ['action_plan:get'])).toBe(true);
  expect(maySee('/plans/1', ['audit:get'])).toBe(false);
  expect(maySee('/audit-log', ['audit:get', 'goal:get'])).toBe(false);
  expect(maySee('/trends', ['action:get_all'])).toBe(false);
  expect(maySee('/trends', ['action:get_all', 'action_plan:get_all'])).toBe(true);
  expect(maySee('/what-if', ['internal:read'])).toBe(false);
  expect(maySee('/what-if', ['internal:read', 'data_model:what_if'])).toBe(true);
  expect(maySee('/overview', ['audit:get'])).toBe(true);
  expect(maySee('/overview', [])).toBe(false);
});
