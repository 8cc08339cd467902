import { benchArguments, reportEnd } from '../../bench/arguments.ts';
import { withTestServers } from '../../bench/test-servers.ts';
import { judgeShown } from './judge-shown.ts';

/**
 * `npm run shown -- [--plans N] [--seed S] [--only STRATEGY,…] [--json]`: compares the pages of plans with the API,
 * and the API with the simulated cloud. The last line is one JSON object. Exits with code 1 on any fault, and 2 when
 * it could not run or was interrupted: SIGINT and SIGTERM end it with the result until then.
 */
async function main(args: string[]): Promise<void> {
  const { json, numbers, texts } = benchArguments(args, { plans: 50, seed: 1 }, [], ['only']);
  const report = (line: string) => json || process.stderr.write(`${line}\n`);
  await withTestServers(['postgres', 'chromium'], async () => {
    const signal = untilInterrupted();
    const only = texts.only?.split(',');
    const { faults, ...counts } = await judgeShown({ ...numbers, only, onProgress: report, signal });
    const count = (wanted: string) => faults.filter(({ kind }) => kind === wanted).length;
    const found = { different: count('different'), untrue: count('untrue'), failed: count('failed') };
    process.stdout.write(`${JSON.stringify({ ...counts, ...found, faults, seed: numbers.seed })}\n`);
    if (faults.length > 0) process.exitCode = 1;
    if (counts.interrupted) process.exitCode = 2;
  });
}

/** Aborted by the first SIGINT or SIGTERM. The second one ends the process at once. */
function untilInterrupted(): AbortSignal {
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  return ending.signal;
}

main(process.argv.slice(2)).catch((error: unknown) => reportEnd('shown', error));
