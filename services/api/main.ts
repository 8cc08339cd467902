import { reportInvalidConfiguration } from '#libs/processes';
import { runService } from '#libs/service-kit';
import { apiChecks } from './checks.ts';
import { composeApi } from './compose.ts';
import { apiEnv } from './env.ts';

/** Runs an API process until a stop signal. Returns the exit code. */
export function run(): Promise<number> {
  return runService({
    name: 'api',
    env: apiEnv,
    checks: apiChecks,
    start: composeApi,
    onInvalidConfiguration: (error, environment) => reportInvalidConfiguration('watcher-api', error, environment),
  });
}
