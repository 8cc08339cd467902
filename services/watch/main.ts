import { Argument, Command } from 'commander';
import {
  checkUntilLost,
  type DependencyWatch,
  type GateReport,
  missingOf,
  type WatchTarget,
  waitUntilUsable,
  watchTargets,
} from '#libs/dependencies';
import { printable } from '#libs/domain';
import { onInterrupt, runProgram, withRunningStack } from '#libs/service-kit';
import { createWatch } from './create-watch.ts';

type Mode = 'wait' | 'check' | 'once';

/**
 * `vigil watch <target> wait|check|once`: checks all dependencies of a target's processes. `wait` ends with 0 as soon
 * as all are available, `check` ends with 1 as soon as one is lost, `once` ends with the current result.
 */
export function run(args: string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('vigil watch')
    .exitOverride()
    .description('Checks whether the dependencies of the processes are available.')
    .addArgument(new Argument('<target>', 'for whom').choices(watchTargets))
    .addArgument(new Argument('<mode>', 'wait until available, check until lost, or check once').choices(modes))
    .option('--json', 'print the last report as JSON')
    .action(async (target: WatchTarget, mode: Mode, { json }: { json?: boolean }) => {
      exitCode = await watch(target, mode, json ?? false);
    });
  return runProgram('watch', program, args, { exitCode: () => exitCode });
}

const modes: readonly Mode[] = ['wait', 'check', 'once'];

/** `once` prints a report, so its log is quiet. The log is for the other modes. `VIGIL_LOG_LEVEL` overrides this. */
function quietly(mode: Mode): NodeJS.ProcessEnv {
  return mode === 'once' ? { VIGIL_LOG_LEVEL: 'warn', ...process.env } : process.env;
}

async function watch(target: WatchTarget, mode: Mode, json: boolean): Promise<number> {
  const { watch, teardown } = await createWatch(target, withRunningStack(quietly(mode)));
  const ending = new AbortController();
  const end = () => ending.abort(new Error('stop requested'));
  const giveBack = onInterrupt(end);
  try {
    const report = await watchAs(mode, watch, ending.signal);
    // Stopped by a signal: the dependencies were not lost, but not found either.
    if (report === null) return mode === 'check' ? 0 : 1;
    if (json) process.stdout.write(`${JSON.stringify({ target, ...report })}\n`);
    else if (mode === 'once') process.stdout.write(reportText(report));
    else if (!report.open) process.stderr.write(`vigil watch: ${missingOf(report).join('; ')}\n`);
    return report.open ? 0 : 1;
  } finally {
    giveBack();
    await teardown.run();
  }
}

async function watchAs(mode: Mode, watch: DependencyWatch, ending: AbortSignal): Promise<GateReport | null> {
  if (mode === 'wait') return waitUntilUsable(watch, ending);
  if (mode === 'check') return checkUntilLost(watch, ending);
  const { report } = await watch.round(ending);
  return ending.aborted ? null : report;
}

/** A report for people: one line per node, and whether processes may work. */
function reportText({ open, dependencies }: GateReport): string {
  const lines = dependencies.flatMap(({ name, required, nodes }) =>
    nodes.map(({ node, up, reason, durationMs }) => {
      const state = up ? `up (${durationMs} ms)` : `DOWN ${printable(reason ?? '')}`;
      return `${name.padEnd(11)} ${required ? 'required' : 'optional'}  ${node}  ${state}\n`;
    }),
  );
  return `${lines.join('')}${open ? 'open' : 'closed'}\n`;
}
