import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { dataOf, type NotificationTargetChange } from '#libs/client';
import { chosenKinds, notificationFormats } from '#libs/domain';
import type { CliContext } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import { column } from '../output/columns.ts';
import { type OutputOptions, withFields, withJson, withRows } from '../output/output-options.ts';
import { printJson, printRow, printRows } from '../output/print.ts';
import { clientOf, collect, suggesting } from './shared-options.ts';

interface TargetOptions extends OutputOptions {
  name?: string;
  address?: string;
  addressFile?: string;
  bodies?: string;
  kind?: string[];
  allKinds?: boolean;
  secretFile?: string;
  bearerFile?: string;
  bearer?: boolean;
  enable?: boolean;
  disable?: boolean;
}

const kindsText = (value: unknown) => (Array.isArray(value) ? value.join(', ') : 'all');
const columns = [
  column('name'),
  column('format'),
  column('kinds', kindsText),
  column('enabled'),
  column('pending'),
  column('dead'),
];
const detailColumns = [
  column('uuid'),
  column('name'),
  column('source'),
  column('url'),
  ...columns.slice(1),
  column('created_at'),
  column('updated_at'),
  column('rotated_at'),
  column('delivered_at'),
];
const newColumns = [column('secret'), ...detailColumns];
const ident = ['<target>', 'uuid or name'] as const;
const path = '/v1/notification_targets';
const one = `${path}/{ident}` as const;

/** `notification target list|show|create|set|rotate|delete`: receivers of notifications. */
export function registerNotificationTargetCommands(parent: Command, context: CliContext): void {
  const target = parent.command('target').description('Receivers of notifications: chat, pagers and other programs');
  registerReads(target, context);
  registerWrites(target, context);
}

function registerReads(target: Command, context: CliContext): void {
  withRows(target.command('list').description('List targets by name, without secrets'), columns, detailColumns).action(
    async (options: OutputOptions, command: Command) => {
      const { notification_targets: rows } = await dataOf(clientOf(context, command).api.GET(path));
      printRows(context, options, rows, columns, detailColumns);
    },
  );
  withFields(target.command('show').description('Show a target, without secrets'), detailColumns)
    .argument(...ident)
    .action(async (name: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET(one, { params: { path: { ident: name } } });
      printRow(context, options, await dataOf(call), detailColumns);
    });
}

function registerWrites(target: Command, context: CliContext): void {
  withSettings(target.command('create').description('Create a target and show its secret once'), newColumns)
    .argument('<name>', 'unique name')
    .action(async (name: string, options: TargetOptions, command: Command) => {
      const { url, ...rest } = settingsOf(options);
      if (url === undefined) throw new UsageError('specify --address or --address-file');
      const call = clientOf(context, command).api.POST(path, { body: { ...rest, name, url } });
      printRow(context, options, await dataOf(call), newColumns);
    });
  withSettings(target.command('set').description('Change fields of a target'), detailColumns)
    .argument(...ident)
    .option('--name <name>', 'new name')
    .option('--all-kinds', 'events of all kinds')
    .option('--no-bearer', 'send no bearer token')
    .action(async (name: string, options: TargetOptions, command: Command) => {
      const body = settingsOf(options);
      if (Object.keys(body).length === 0) throw new UsageError('specify at least one change');
      const call = clientOf(context, command).api.PATCH(one, { params: { path: { ident: name } }, body });
      printRow(context, options, await dataOf(call), detailColumns);
    });
  withFields(target.command('rotate').description('Replace the secret and show the new one once'), newColumns)
    .argument(...ident)
    .action(async (name: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.POST(`${one}/rotate`, { params: { path: { ident: name } } });
      printRow(context, options, await dataOf(call), newColumns);
    });
  withJson(target.command('delete').description('Delete targets with their deliveries'))
    .argument('<target...>', 'uuids or names')
    .action(async (names: string[], { json }: OutputOptions, command: Command) => {
      const { api } = clientOf(context, command);
      for (const name of names) await api.DELETE(one, { params: { path: { ident: name } } });
      if (json) printJson(context, { deleted: names });
    });
}

function withSettings(command: Command, shown: typeof columns): Command {
  return withFields(command, shown)
    .option('--address <url>', 'URL of the receiver')
    .option('--address-file <file>', 'file with the URL, if it is secret; - reads standard input')
    .addOption(suggesting('--bodies <format>', 'format of the bodies, default json', notificationFormats))
    .addOption(
      suggesting('-k, --kind <kind>', 'kind of events to send; repeatable, default all', chosenKinds).argParser(
        collect,
      ),
    )
    .option('--secret-file <file>', 'file with the signing key, default a generated key')
    .option('--bearer-file <file>', 'file with a token that is sent as Authorization: Bearer')
    .option('--enable', 'send notifications (default)')
    .option('--disable', 'keep the target, but send nothing');
}

/** The API validates the values. */
function settingsOf(options: TargetOptions): NotificationTargetChange {
  const { name, address, addressFile, bodies, kind, allKinds, secretFile, bearerFile, bearer, enable, disable } =
    options;
  refuseBoth(address, addressFile, '--address and --address-file');
  refuseBoth(kind, allKinds, '--kind and --all-kinds');
  refuseBoth(enable, disable, '--enable and --disable');
  if (bearer === false && bearerFile !== undefined)
    throw new UsageError('--bearer-file and --no-bearer exclude each other');
  const body = {
    name,
    url: address ?? (addressFile === undefined ? undefined : textIn(addressFile)),
    format: bodies,
    kinds: allKinds ? null : kind,
    secret: secretFile === undefined ? undefined : textIn(secretFile),
    bearer_token: bearer === false ? null : bearerFile === undefined ? undefined : textIn(bearerFile),
    enabled: enable ? true : disable ? false : undefined,
  };
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  ) as NotificationTargetChange;
}

function refuseBoth(first: unknown, second: unknown, names: string): void {
  if (first !== undefined && second !== undefined) throw new UsageError(`${names} exclude each other`);
}

function textIn(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
