import { benchArguments, reportEnd } from '../../bench/arguments.ts';
import { judgeWorlds } from './judge-worlds.ts';

/**
 * `npm run worlds -- [--worlds N] [--seed S] [--orders N] [--hosts N] [--every N] [--json]`: judges plans for random
 * worlds. The last line is one JSON object. Exits with code 1 on any fault, and 2 when it could not run.
 */
async function main(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, { worlds: 200, seed: 1, orders: 20, hosts: 40, every: 1 });
  const report = (text: string) => json || process.stderr.write(`${text}\n`);
  const { faults, ...counts } = await judgeWorlds({
    ...numbers,
    onFault: ({ kind, seed, strategy, parameters, what }) =>
      report(`${kind} seed ${seed} ${strategy} ${parameters}: ${what}`),
  });
  process.stdout.write(`${JSON.stringify({ ...counts, ...faults, seed: numbers.seed })}\n`);
  if (Object.values(faults).some((count) => count > 0)) process.exitCode = 1;
}

main(process.argv.slice(2)).catch((error: unknown) => reportEnd('worlds', error));
