import { reportInvalidConfiguration } from '#libs/processes';
import { runService } from '#libs/service-kit';
import { schedulerChecks } from './checks.ts';
import { composeScheduler } from './compose.ts';
import { schedulerEnv } from './env.ts';

/** Runs a scheduler until it is stopped. Returns the exit code. */
export function run(): Promise<number> {
  return runService({
    name: 'scheduler',
    env: schedulerEnv,
    checks: schedulerChecks,
    start: composeScheduler,
    onInvalidConfiguration: (error, environment) => reportInvalidConfiguration('scheduler', error, environment),
  });
}
