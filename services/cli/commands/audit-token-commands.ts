import { type Command, InvalidArgumentError } from 'commander';
import { type AlertTokenSettings, dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import { column, objectText } from '../output/columns.ts';
import { type OutputOptions, withFields, withJson } from '../output/output-options.ts';
import { printJson, printRow } from '../output/print.ts';
import { clientOf, collect } from './shared-options.ts';

interface SettingsOptions extends OutputOptions {
  label?: string[];
  repeat?: number;
}

const columns = [
  column('audit_uuid'),
  column('valid'),
  column('labels', objectText),
  column('repeat_seconds'),
  column('created_at'),
  column('rotated_at'),
  column('revoked_at'),
  column('used_at'),
];
const newColumns = [column('token'), ...columns];
const ident = ['<id>', 'uuid or name of an EVENT audit'] as const;
const path = '/v1/audits/{ident}/alert_token';

/** `audit token show|create|set|rotate|revoke`: how Alertmanager may run an EVENT audit. */
export function registerAuditTokenCommands(parent: Command, context: CliContext): void {
  const token = parent.command('token').description('Tokens with which Alertmanager runs EVENT audits');
  withFields(token.command('show').description('Show settings and use of a token'), columns)
    .argument(...ident)
    .action(async (audit: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.GET(path, { params: { path: { ident: audit } } });
      printRow(context, options, await dataOf(call), columns);
    });
  withSettings(token.command('create').description('Create a token and show it once'), newColumns)
    .argument(...ident)
    .action(async (audit: string, options: SettingsOptions, command: Command) => {
      const call = clientOf(context, command).api.POST(path, {
        params: { path: { ident: audit } },
        body: settingsOf(options),
      });
      printRow(context, options, await dataOf(call), newColumns);
    });
  withSettings(token.command('set').description('Change settings; the token stays valid'), columns)
    .argument(...ident)
    .option('--no-labels', 'alerts run the audit on its whole scope')
    .action(async (audit: string, options: SettingsOptions & { labels: boolean }, command: Command) => {
      if (!options.labels && options.label) throw new UsageError('--label and --no-labels exclude each other');
      const body = { ...settingsOf(options), ...(options.labels ? {} : { labels: {} }) };
      if (Object.keys(body).length === 0) throw new UsageError('specify at least one change');
      const call = clientOf(context, command).api.PATCH(path, { params: { path: { ident: audit } }, body });
      printRow(context, options, await dataOf(call), columns);
    });
  withFields(token.command('rotate').description('Replace a token and show the new one once'), newColumns)
    .argument(...ident)
    .action(async (audit: string, options: OutputOptions, command: Command) => {
      const call = clientOf(context, command).api.POST(`${path}/rotate`, { params: { path: { ident: audit } } });
      printRow(context, options, await dataOf(call), newColumns);
    });
  withJson(token.command('revoke').description('Revoke a token and drop its queued run'))
    .argument(...ident)
    .action(async (audit: string, { json }: OutputOptions, command: Command) => {
      await clientOf(context, command).api.DELETE(path, { params: { path: { ident: audit } } });
      if (json) printJson(context, { revoked: audit });
    });
}

function withSettings(command: Command, shown: typeof columns): Command {
  return withFields(command, shown)
    .option('-l, --label <element=label>', 'label that names a host, instance, aggregate or zone; repeatable', collect)
    .option(
      '--repeat <seconds>',
      'seconds before the same alert group can run the audit again; 0 for none',
      wholeNumber,
    );
}

/** The API validates elements and labels. */
function settingsOf({ label, repeat }: SettingsOptions): AlertTokenSettings {
  const labels = label?.map((word) => {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`${word} must have the form element=label, such as host=instance`);
    return [word.slice(0, at), word.slice(at + 1)];
  });
  return {
    ...(labels === undefined ? {} : { labels: Object.fromEntries(labels) as AlertTokenSettings['labels'] }),
    ...(repeat === undefined ? {} : { repeat_seconds: repeat }),
  };
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
