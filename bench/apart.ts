import { execFile } from 'node:child_process';
import type { BenchReport } from './report.ts';

const limitMs = 20 * 60_000;

/** Runs a bench with these arguments in a separate process, so that its memory is separate, and returns its report. */
export function benchApart(bench: string, args: readonly string[]): Promise<BenchReport> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [process.argv[1] ?? '', bench, ...args, '--json'],
      { timeout: limitMs },
      (error, stdout, stderr) => {
        try {
          resolve(JSON.parse(stdout) as BenchReport);
        } catch {
          reject(new Error(`${bench} ${args[0] ?? ''} gave no result: ${stderr.trim()}`, { cause: error }));
        }
      },
    );
  });
}
