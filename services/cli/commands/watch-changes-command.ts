import type { Command } from 'commander';
import type { Delta, WatchedKind } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import { withJson } from '../output/output-options.ts';
import { clientOf, collect } from './shared-options.ts';
import { createWaiter, type WaitCommandOptions, withMaxOutage } from './waiter.ts';

interface WatchCommandOptions extends WaitCommandOptions {
  kind?: string[];
  uuid?: string[];
  audit?: string;
  plan?: string;
  state?: string[];
  since?: string;
  limit?: string;
}

/** `watch-changes`: one line for each existing entity, then one for each change. */
export function registerWatchChangesCommand(program: Command, context: CliContext): void {
  withMaxOutage(withJson(program.command('watch-changes').description('Print all changes, until interrupted')))
    .option(
      '--kind <kind>',
      'such as audit, action_plan, action, task, data_model or audit_log ; repeat for more',
      collect,
    )
    .option('--uuid <uuid>', 'filter by entity; repeatable', collect)
    .option('--audit <uuid>', 'filter by audit, with its plans and their actions')
    .option('--plan <uuid>', 'filter by plan, with its actions')
    .option('--state <state>', 'filter audits, plans, actions and tasks by state; repeatable', collect)
    .option('--since <position>', 'start after this position; --json prints positions')
    .option('--limit <number>', 'stop after this number of lines')
    .action(async (options: WatchCommandOptions, command: Command) => {
      await printChanges(context, options, command);
    });
}

async function printChanges(context: CliContext, options: WatchCommandOptions, command: Command): Promise<void> {
  const limit = options.limit === undefined ? Number.POSITIVE_INFINITY : Number(options.limit);
  if (!(limit >= 1)) throw new UsageError(`--limit must be a whole number above 0, not ${options.limit}`);
  const changes = clientOf(context, command).watch({
    kinds: options.kind as WatchedKind[] | undefined,
    uuids: options.uuid,
    audit: options.audit,
    plan: options.plan,
    states: options.state,
    since: options.since,
    maxDownMs: createWaiter(context, options).settings.maxDownMs,
    signal: context.signal,
    onConnection: (state, reason) => {
      if (state === 'reconnecting') context.err(`reconnecting: ${reason?.message ?? 'the stream has ended'}\n`);
    },
  });
  let printed = 0;
  for await (const { type, position, deltas } of changes) {
    for (const delta of deltas) {
      context.out(options.json ? `${JSON.stringify({ type, position, delta })}\n` : lineOf(delta));
      printed += 1;
      if (printed >= limit) return;
    }
  }
}

/** Such as `change action_plan 7c6e… RECOMMENDED`. */
function lineOf([kind, what, entity]: Delta): string {
  const fields = entity as Record<string, unknown>;
  const progress = typeof fields.progress === 'number' ? `${Math.round(fields.progress * 100)} %` : '';
  const words = [
    what,
    kind,
    fields.uuid ?? fields.id,
    fields.name,
    fields.action_type,
    fields.operation,
    fields.state ?? fields.status,
    progress,
  ];
  return `${words.filter((word) => word !== undefined && word !== null && word !== '').join(' ')}\n`;
}
