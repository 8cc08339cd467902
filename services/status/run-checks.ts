import { messageOf } from '#libs/domain';
import { withTimeLimit } from '#libs/service-kit';

export type Result = 'Success' | 'Warning' | 'Failure';

/** Result of a check. `details` says how to fix a warning or failure. */
export interface Finding {
  result: Result;
  details?: string;
}

/** A check. An exception counts as a failure with its message. */
export interface Check {
  name: string;
  run(): Promise<Finding>;
}

export interface Verdict extends Finding {
  name: string;
}

/** Time limit of one check in milliseconds. */
const limitMs = 20_000;

/** Runs the checks in parallel and returns the results in their order. */
export function runChecks(checks: readonly Check[]): Promise<Verdict[]> {
  return Promise.all(
    checks.map(async ({ name, run }) => {
      try {
        return { name, ...(await withTimeLimit(run(), limitMs, late)) };
      } catch (error) {
        return { name, result: 'Failure' as const, details: messageOf(error) };
      }
    }),
  );
}

/** The exit code is that of the worst result: 0, 1 or 2. */
export function judge(verdicts: readonly Verdict[]): { exitCode: number; result: Result } {
  const results = verdicts.map(({ result }) => result);
  if (results.includes('Failure')) return { exitCode: 2, result: 'Failure' };
  return results.includes('Warning') ? { exitCode: 1, result: 'Warning' } : { exitCode: 0, result: 'Success' };
}

function late(): never {
  throw new Error(`no response within ${limitMs / 1000} s`);
}
