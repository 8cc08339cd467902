import { expect, test } from 'vitest';
import type { AuditReport } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { printReport } from './report.ts';

function printed(report: object): string {
  let text = '';
  const context = {
    env: {},
    isTerminal: false,
    columns: 120,
    out: (part: string) => {
      text += part;
    },
  } as unknown as CliContext;
  printReport(context, {}, { audit_uuid: 'a', report } as unknown as AuditReport);
  return text;
}

const plain = {
  strategy: 'basic',
  hosts: { considered: 2, eligible: 2 },
  instances: { considered: 3, eligible: 3 },
  blocked: [],
  metrics: [],
  model_age_seconds: 1,
  model_complete: true,
  empty_because: null,
  notes: [],
  timings_ms: {},
};

test('a search-based strategy shows its objective with the bound, and the progress of the search', () => {
  const text = printed({
    ...plain,
    objective: [{ level: 2, term: 'cpu_balance', unit: '%', before: 12.5, after: 3, bound: 1.25 }],
    gap: 0.15,
    search: { work: 1000, budget: 2000, ended_by: 'converged', starts: 2, best_start: 1 },
  });

  expect(text).toMatch(/Gap\W+0\.15/);
  expect(text).toContain('"ended_by": "converged"');
  expect(text).toMatch(/cpu_balance\W+%\W+12\.5\W+3\W+1\.25/);
});

test('others do not speak of a search', () => {
  expect(printed(plain)).not.toMatch(/Gap|Search|Bound/);
});
