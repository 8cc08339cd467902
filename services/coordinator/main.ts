import { gateCheck } from '#libs/dependencies';
import { reportInvalidConfiguration } from '#libs/processes';
import { runService } from '#libs/service-kit';
import { databaseIsNamed } from '#libs/service-kit/env';
import { composeCoordinator } from './compose.ts';
import { coordinatorEnv } from './env.ts';

/** Runs a recovery coordinator until it is stopped. Returns the exit code. */
export function run(): Promise<number> {
  return runService({
    name: 'coordinator',
    env: coordinatorEnv,
    checks: [databaseIsNamed, gateCheck('scheduler')],
    start: composeCoordinator,
    onInvalidConfiguration: (error, environment) =>
      reportInvalidConfiguration('recovery-coordinator', error, environment),
  });
}
