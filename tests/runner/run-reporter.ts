import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { UserConsoleLog } from 'vitest';
import type { Reporter, SerializedError, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

const shown = 20;

interface FileResult {
  file: string;
  ms: number;
  processorMs: number;
  passed: number;
  failed: number;
  skipped: number;
  isFailed: boolean;
  failedTests: string[];
  /** File with errors and console output of a failed file. */
  output?: string;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(7)} s`;
}

function textOf({ message, stack, diff, cause }: SerializedError): string {
  const lines = [stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`, diff, cause ? 'caused by:' : ''];
  const text = lines.filter(Boolean).join('\n');
  return cause ? `${text}\n${textOf(cause as SerializedError)}` : text;
}

/**
 * Prints the 20 slowest test files with their processor time. In the folder that VIGIL_TEST_RESULT_DIR names, it writes
 * `result.json` and the errors and console output of each failed file.
 */
export class RunReporter implements Reporter {
  private vitest: Vitest | undefined;
  private readonly logs = new Map<string, string>();

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onUserConsoleLog({ taskId, content }: UserConsoleLog): void {
    const task = taskId === undefined ? undefined : this.vitest?.state.idMap.get(taskId);
    if (task) this.logs.set(task.file.id, (this.logs.get(task.file.id) ?? '') + content);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], _reason: TestRunEndReason): void {
    const folder = process.env.VIGIL_TEST_RESULT_DIR;
    const files = modules.map((module) => this.resultOf(module, folder));
    if (folder) {
      const result = { unhandledErrors: errors.length, files };
      writeFileSync(join(folder, 'result.json'), `${JSON.stringify(result)}\n`);
    }
    if (files.length <= shown) return;
    const slowest = [...files].sort((a, b) => b.ms - a.ms).slice(0, shown);
    const lines = slowest.map(({ file, ms, processorMs }) => `${seconds(ms)} ${seconds(processorMs)}  ${file}`);
    const heading = `slowest ${shown} of ${modules.length} test files, with processor time`;
    process.stdout.write(`\n ${heading}:\n${lines.join('\n')}\n`);
  }

  private resultOf(module: TestModule, folder: string | undefined): FileResult {
    const { collectDuration, setupDuration, prepareDuration, duration } = module.diagnostic();
    const tests = [...module.children.allTests()];
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const failed = inState('failed');
    const isFailed = module.state() === 'failed';
    const file = module.relativeModuleId;
    const result: FileResult = {
      file,
      ms: collectDuration + setupDuration + prepareDuration + duration,
      processorMs: module.meta().processorMs ?? 0,
      passed: inState('passed').length,
      // A file that cannot be loaded, or whose hook fails, has failed without a failed test.
      failed: isFailed ? Math.max(failed.length, 1) : 0,
      skipped: inState('skipped').length,
      isFailed,
      failedTests: failed.map(({ fullName }) => fullName),
    };
    if (!isFailed || !folder) return result;
    const output = join(folder, 'outputs', `${file.replaceAll(/[^\w.-]/g, '-')}.txt`);
    mkdirSync(join(folder, 'outputs'), { recursive: true });
    writeFileSync(output, stripVTControlCharacters(this.reportOf(module)));
    return { ...result, output };
  }

  private reportOf(module: TestModule): string {
    const suites = [...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map((error) => ({ suite, error })),
    );
    const tests = [...module.children.allTests('failed')];
    return [
      module.relativeModuleId,
      ...module.errors().map(textOf),
      ...suites.map(({ suite, error }) => `FAILED ${suite.fullName}\n${textOf(error)}`),
      ...tests.map(
        (test) => `FAILED ${test.fullName}\n${(test.result().errors ?? []).map((error) => textOf(error)).join('\n')}`,
      ),
      `output of the console:\n${this.logs.get(module.id) ?? ''}`,
    ].join('\n\n');
  }
}
