import type { Reporter, TestModule } from 'vitest/node';

const shown = 20;

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(7)} s`;
}

/** Prints the test files that took longest at the end of a run of many: whoever wants a quicker run begins there. */
export class SlowestFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return;
    const times = modules.map((module) => {
      const { collectDuration, setupDuration, prepareDuration, duration } = module.diagnostic();
      return { file: module.relativeModuleId, ms: collectDuration + setupDuration + prepareDuration + duration };
    });
    times.sort((a, b) => b.ms - a.ms);
    const lines = times.slice(0, shown).map(({ file, ms }) => `${seconds(ms)}  ${file}`);
    process.stdout.write(`\n slowest ${shown} of ${modules.length} test files:\n${lines.join('\n')}\n`);
  }
}
