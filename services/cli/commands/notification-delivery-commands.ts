import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { dataOf, type NotificationDelivery, type VigilClient } from '#libs/client';
import { type CliContext, note } from '../cli-context.ts';
import { OutcomeError, UsageError } from '../errors.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withFields, withJson, withRows } from '../output/output-options.ts';
import { printJson, printRow, printTables } from '../output/print.ts';
import { clientOf, positive, suggesting } from './shared-options.ts';

interface ListOptions extends OutputOptions {
  target?: string;
  state?: string;
  limit?: number;
}

const columns = [column('uuid'), column('target_name'), column('kind'), column('state'), column('reason')];
const detailColumns = [
  column('uuid'),
  column('target_name'),
  column('kind'),
  column('subject'),
  column('text', { isText: true }),
  column('state'),
  column('attempts'),
  column('status_code'),
  column('reason'),
  column('occurred_at'),
  column('next_attempt_at'),
  column('ended_at'),
  column('resent_by'),
  column('resent_at'),
];
const states = ['PENDING', 'DELIVERED', 'DEAD'];
const path = '/v1/notification_deliveries';
const one = `${path}/{ident}` as const;
/** Longest wait for the first attempt of a test. */
const waitMs = 60_000;
const pageSize = 100;

/** `notification test` and `notification delivery list|show|resend`: deliveries and dead letters. */
export function registerNotificationDeliveryCommands(parent: Command, context: CliContext): void {
  registerTest(parent, context);
  const delivery = parent.command('delivery').description('Deliveries of notifications, and dead letters');
  withRows(delivery.command('list').description('List deliveries, newest first'), columns, detailColumns)
    .option('-t, --target <target>', 'filter by target (uuid or name)')
    .addOption(suggesting('-s, --state <state>', 'filter by state; DEAD for dead letters', states))
    .option('--limit <number>', 'maximum number of entries, default 100', positive)
    .action(async ({ target, state, limit, ...options }: ListOptions, command: Command) => {
      const query = { ...(target ? { target } : {}), ...(state ? { state: state as 'DEAD' } : {}), limit };
      const page = await dataOf(clientOf(context, command).api.GET(path, { params: { query } }));
      const rows = page.notification_deliveries;
      printTables(context, options, page, [{ rows, columns: options.json ? detailColumns : columns }]);
      if (page.next !== null) note(context, `and older ones: --limit ${2 * rows.length}\n`);
    });
  withFields(delivery.command('show').description('Show a delivery'), detailColumns)
    .argument('<delivery>', 'uuid')
    .action(async (uuid: string, options: OutputOptions, command: Command) => {
      printRow(context, options, await deliveryOf(clientOf(context, command), uuid), detailColumns);
    });
  withJson(delivery.command('resend').description('Resend deliveries with the same ids'))
    .argument('[delivery...]', 'uuids')
    .option('--dead', 'all dead letters')
    .option('-t, --target <target>', 'with --dead: filter by target')
    .action(async (uuids: string[], options: ListOptions & { dead?: boolean }, command: Command) => {
      if (uuids.length === 0 && !options.dead) throw new UsageError('specify deliveries or --dead');
      if (uuids.length > 0 && options.dead) throw new UsageError('--dead cannot be combined with ids of deliveries');
      const client = clientOf(context, command);
      const chosen = options.dead ? await deadLetters(client, options.target) : uuids;
      for (const uuid of chosen) await dataOf(client.api.POST(`${one}/resend`, { params: { path: { ident: uuid } } }));
      if (options.json) printJson(context, { resent: chosen });
      else note(context, `${chosen.length} resent\n`);
    });
}

function registerTest(parent: Command, context: CliContext): void {
  withFields(
    parent.command('test').description('Send a test notification and wait for its first attempt'),
    detailColumns,
  )
    .argument('<target>', 'uuid or name')
    .action(async (target: string, options: OutputOptions, command: Command) => {
      const client = clientOf(context, command);
      const call = client.api.POST('/v1/notification_targets/{ident}/test', { params: { path: { ident: target } } });
      const { uuid } = await dataOf(call);
      const seen = await firstAttempt(context, client, uuid);
      printRow(context, options, seen, detailColumns);
      if (seen.state !== 'DELIVERED') throw new OutcomeError(seen.reason ?? 'no scheduler has sent it yet');
    });
}

async function firstAttempt(context: CliContext, client: VigilClient, uuid: string): Promise<NotificationDelivery> {
  const startedAt = performance.now();
  for (;;) {
    const delivery = await deliveryOf(client, uuid);
    const isTried = delivery.state !== 'PENDING' || delivery.reason !== null;
    if (isTried || performance.now() - startedAt > waitMs) return delivery;
    await sleep(context.pollMs, undefined, context.signal ? { signal: context.signal } : {});
  }
}

function deliveryOf({ api }: VigilClient, uuid: string): Promise<NotificationDelivery> {
  return dataOf(api.GET(one, { params: { path: { ident: uuid } } }));
}

async function deadLetters({ api }: VigilClient, target: string | undefined): Promise<string[]> {
  const uuids: string[] = [];
  for (let marker: string | null = ''; marker !== null; ) {
    const query = {
      state: 'DEAD' as const,
      limit: pageSize,
      ...(target ? { target } : {}),
      ...(marker ? { marker } : {}),
    };
    const page: { notification_deliveries: NotificationDelivery[]; next: string | null } = await dataOf(
      api.GET(path, { params: { query } }),
    );
    uuids.push(...page.notification_deliveries.map(({ uuid }) => uuid));
    marker = page.next;
  }
  return uuids;
}
