import type { Reporter, TestModule } from 'vitest/node';

const shown = 20;

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(7)} s`;
}

/**
 * Prints the test files that took longest at the end of a run of many, with their processor time: whoever wants a
 * quicker run starts there.
 */
export class SlowestFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= shown) return;
    const times = modules.map((module) => {
      const { collectDuration, setupDuration, prepareDuration, duration } = module.diagnostic();
      const ms = collectDuration + setupDuration + prepareDuration + duration;
      return { file: module.relativeModuleId, ms, processorMs: module.meta().processorMs ?? 0 };
    });
    times.sort((a, b) => b.ms - a.ms);
    const lines = times
      .slice(0, shown)
      .map(({ file, ms, processorMs }) => `${seconds(ms)} ${seconds(processorMs)}  ${file}`);
    const heading = `slowest ${shown} of ${modules.length} test files, with processor time`;
    process.stdout.write(`\n ${heading}:\n${lines.join('\n')}\n`);
  }
}
