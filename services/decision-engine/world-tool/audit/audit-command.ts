import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { InvalidInputError, type JsonObject, messageOf, OperatorError, printable } from '#libs/domain';
import { readRecordedWorld } from '#libs/world-file';
import { parameterOf } from '../../replay/audits.ts';
import type { PowerModel } from '../../replay/power-models.ts';
import { type DayWorld, stepSeconds } from '../../replay/replay-world.ts';
import { createProgress } from '../progress.ts';
import { auditWorld, type ReplayedStrategy } from './audit-world.ts';
import { recordedDay } from './recorded-day.ts';
import { replayPage } from './replay-page.ts';
import { replayNotes, replayTable, wrapNote } from './replay-rows.ts';

const misused = 2;

interface AuditFlags {
  goal: string;
  strategy: string;
  every: number;
  once?: boolean;
  compare?: string[];
  parameter: string[];
  hostWatts: PowerModel;
  json?: boolean;
  page?: string;
}

/** `vigil world audit`: replays audits over a recording, in this process. */
export function registerAudit(program: Command): void {
  program
    .command('audit')
    .description('replay audits over the recorded time: plans, moves, energy, overload')
    .argument('<file>', 'a recording')
    .requiredOption('-g, --goal <goal>', 'goal of the audits')
    .requiredOption('-s, --strategy <strategy>', 'strategy of the audits')
    .option('--every <time>', 'time between two audits, such as 5m or 2h', duration, 3600)
    .option('--once', 'one audit at the end of the recording; its actions are printed')
    .option('--compare <strategies>', 'further strategies to replay, separated by commas', (text) => text.split(','))
    .option('-p, --parameter <name=value>', 'parameter of the strategy', collect, [])
    .option('--host-watts <idle:full>', 'power of a host, idle and at full load', watts, [120, 400])
    .option('--json', 'print everything as JSON')
    .option('--page <file>', 'write a page with charts (HTML)')
    .addHelpText(
      'after',
      `
The command reads only the file. It needs no server.

Examples:
  vigil world audit week.world -g server_consolidation -s saving_energy
  vigil world audit week.world -g workload_balancing -s balance_optimizer \\
    --compare workload_stabilization --every 15m --page week.html`,
    )
    .action(async (file: string, flags: AuditFlags) => {
      const { world, load } = await readRecordedWorld(file);
      const progress = createProgress(process.stderr);
      let day: DayWorld | null = null;
      const makeDay = () => {
        day ??= recordedDay(world, load, flags.hostWatts);
        return day;
      };
      const results = await auditWorld(makeDay, {
        goal: flags.goal,
        strategies: [...new Set([flags.strategy, ...(flags.compare ?? [])])],
        parameters: parametersOf(flags.parameter),
        everySteps: flags.once ? null : Math.max(1, Math.round(flags.every / stepSeconds)),
        onProgress: progress.show,
      })
        .catch(asOperatorError)
        .finally(progress.end);
      if (flags.page !== undefined) await writePage(flags.page, replayPage(`${flags.goal}: ${file}`, results));
      if (flags.json) process.stdout.write(`${JSON.stringify(results)}\n`);
      else {
        const notes = replayNotes(results).map(wrapNote);
        const parts = [replayTable(results), notes.join(''), flags.once ? actionsText(results) : ''];
        process.stdout.write(printable(parts.filter((part) => part !== '').join('\n'), '\n'));
      }
    });
}

function asOperatorError(error: unknown): never {
  if (error instanceof InvalidInputError) throw new OperatorError(error.message, { cause: error, exitCode: misused });
  throw error;
}

function collect(text: string, before: string[]): string[] {
  return [...before, text];
}

function parametersOf(texts: readonly string[]): JsonObject {
  try {
    return Object.fromEntries(texts.map((text) => parameterOf('--parameter', text)));
  } catch (error) {
    return asOperatorError(error);
  }
}

function duration(text: string): number {
  const [, count, unit = 's'] = /^(\d{1,6})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3600, d: 86_400 }[unit] ?? 1);
  if (!(seconds >= stepSeconds) || seconds % stepSeconds !== 0)
    throw new InvalidArgumentError('It must be a multiple of 5m, such as 15m or 2h.');
  return seconds;
}

function watts(text: string): PowerModel {
  const [, idle, full] = /^(\d{1,5}):(\d{1,5})$/.exec(text) ?? [];
  if (idle === undefined || Number(full) < Number(idle))
    throw new InvalidArgumentError('It must be IDLE:FULL in watts, such as 120:400.');
  return [Number(idle), Number(full)];
}

async function writePage(path: string, page: string): Promise<void> {
  await writeFile(path, page, { mode: 0o600 }).catch((error: unknown) => {
    throw new OperatorError(`cannot write ${path}: ${messageOf(error)}`, { cause: error, exitCode: misused });
  });
}

function actionsText(results: readonly ReplayedStrategy[]): string {
  const lines = results.flatMap(({ strategy, plans }) =>
    plans.flatMap(({ actions }) =>
      actions.map(({ type, resource, from, to }) => `${strategy}: ${type} ${resource} ${from} -> ${to}\n`),
    ),
  );
  return lines.join('');
}
