import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { OperatorError } from '#libs/domain';
import { createLogger, dataDirOf, findRunningStack, isProcessAlive, runProgram } from '#libs/service-kit';
import { homeOf, removeEmbeddedPostgres } from '#libs/service-kit/embedded';

/** Longer than `vigil up` takes to stop its processes one by one. */
const stopLimitMs = 180_000;
const pollMs = 100;

/** `vigil down`: stops the `vigil up` of this data folder, and with `--purge` removes its database and logs. */
export function run(args: string[]): Promise<number> {
  const program = new Command('vigil down')
    .exitOverride()
    .description('Stops the vigil up of this data folder (VIGIL_DATA_DIR).')
    .option('--purge', 'also delete its database and logs')
    .action(down);
  return runProgram('down', program, args);
}

async function down({ purge = false }: { purge?: boolean }): Promise<void> {
  const stack = findRunningStack(process.env);
  const given = dataDirOf(process.env);
  const folder = stack?.dataDir ?? (existsSync(given) ? realpathSync(given) : given);
  if (stack) await stopStack(stack.pid);
  print(stack ? `stopped the Vigil of ${folder} (pid ${stack.pid})` : `no Vigil runs in ${folder}`);
  if (!purge || !existsSync(folder)) return;
  const database = homeOf(join(folder, 'postgres'));
  const places = [
    join(folder, 'postgres'),
    join(folder, 'logs'),
    join(folder, 'demo'),
    ...(database ? [database] : []),
  ];
  const found = places.filter((place) => existsSync(place));
  if (found.length === 0) return print(`${folder} has no database and no logs`);
  const logger = createLogger({ service: 'down', level: 'warn', pretty: true });
  for (const place of [join(folder, 'postgres'), join(folder, 'demo', 'postgres')])
    await removeEmbeddedPostgres(place, logger);
  for (const name of ['logs', 'demo']) rmSync(join(folder, name), { recursive: true, force: true });
  if (readdirSync(folder).length === 0) rmdirSync(folder);
  print(`deleted ${found.join(', ')}`);
}

async function stopStack(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM');
  const until = performance.now() + stopLimitMs;
  while (isProcessAlive(pid)) {
    if (performance.now() > until) throw new OperatorError(`process ${pid} does not stop; end it and try again`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
