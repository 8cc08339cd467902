import { expect, test } from 'vitest';
import { createIsClosed } from './closed-routes.ts';

test('the most specific route decides whether the policy refuses a read', () => {
  const isClosed = createIsClosed({
    closed: ['/v1/audits/{ident}', '/internal/'],
    open: ['/v1/audits', '/v1/audits/detail', '/internal/lists/audits'],
  });
  const closed = ['/v1/audits/7', '/internal/tasks', '/internal/lists/action-plans'];
  const open = ['/v1/audits', '/v1/audits/detail', '/internal/lists/audits', '/v1/goals', '/v1/audits/7/report'];
  expect([...closed, ...open].filter(isClosed)).toEqual(closed);
});
