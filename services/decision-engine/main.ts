import { reportInvalidConfiguration } from '#libs/processes';
import { runService } from '#libs/service-kit';
import { decisionEngineChecks } from './checks.ts';
import { composeDecisionEngine } from './compose.ts';
import { decisionEngineEnv } from './env.ts';
import { limitHeapGrowth } from './heap-growth.ts';

/** Runs a decision engine until it receives a signal to stop. Returns the exit code. */
export function run(): Promise<number> {
  limitHeapGrowth();
  return runService({
    name: 'decision-engine',
    env: decisionEngineEnv,
    checks: decisionEngineChecks,
    start: composeDecisionEngine,
    onInvalidConfiguration: (error, environment) =>
      reportInvalidConfiguration('watcher-decision-engine', error, environment),
  });
}
