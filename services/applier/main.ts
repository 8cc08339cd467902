import { reportInvalidConfiguration } from '#libs/processes';
import { runService } from '#libs/service-kit';
import { applierChecks } from './checks.ts';
import { composeApplier } from './compose.ts';
import { applierEnv } from './env.ts';

/** Runs an applier until it receives a signal to stop. Returns the exit code. */
export function run(): Promise<number> {
  return runService({
    name: 'applier',
    env: applierEnv,
    checks: applierChecks,
    start: composeApplier,
    onInvalidConfiguration: (error, environment) => reportInvalidConfiguration('watcher-applier', error, environment),
  });
}
