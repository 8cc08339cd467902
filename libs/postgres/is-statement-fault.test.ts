import { expect, it } from 'vitest';
import { isStatementFault } from './is-statement-fault.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

it.each(['22003', '22008', '22021', '42P01', '54000', '23505'])('takes %s for a fault of the statement', (code) => {
  expect(isStatementFault(withCode(code))).toBe(true);
});

it.each(['08006', '53300', '57P01', '57014', '25006', '40001', 'XX000', '58030', '28P01', 'EPIPE', 'ECONNREFUSED'])(
  'takes %s for one of the connection or the server',
  (code) => {
    expect(isStatementFault(withCode(code))).toBe(false);
  },
);

it('treats an error without SQLSTATE as one of the connection', () => {
  expect([isStatementFault(new Error('Connection terminated')), isStatementFault('22003')]).toEqual([false, false]);
});
