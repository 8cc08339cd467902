import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { VigilClient } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import { column, objectText } from '../output/columns.ts';
import { type OutputOptions, withFields, withJson, withRows } from '../output/output-options.ts';
import { printJson, printRow, printRows } from '../output/print.ts';
import { clientOf, collect, positive, suggesting } from './shared-options.ts';

interface RuleOptions extends OutputOptions {
  kind?: string;
  description?: string;
  instance?: string[];
  instanceId?: string[];
  metadata?: string[];
  project?: string[];
  flavor?: string[];
  host?: string[];
  aggregate?: string[];
  zone?: string[];
  maxPerHost?: number;
  strict?: boolean;
  soft?: boolean;
  enable?: boolean;
  disable?: boolean;
  file?: string;
  name?: string;
}

interface RulePage {
  placement_rules: object[];
  next: string | null;
}

const listColumns = [
  column('uuid'),
  column('name'),
  column('kind'),
  column('strict'),
  column('enabled'),
  column('instances', objectText),
  column('hosts', objectText),
];
const detailColumns = [
  ...listColumns.slice(0, 2),
  column('description'),
  ...listColumns.slice(2),
  column('max_per_host'),
  column('created_at'),
  column('updated_at'),
];
const kinds = ['keep_together', 'keep_apart', 'prefer_hosts', 'avoid_hosts', 'leave_alone'];
const path = '/placement-rules';

/** `rules list|show|create|set|delete`: operators' placement rules for instances. */
export function registerRuleCommands(program: Command, context: CliContext): void {
  const rules = program.command('rules').description('Placement rules, in addition to server groups of Nova');
  registerReads(rules, context);
  registerWrites(rules, context);
}

function registerReads(rules: Command, context: CliContext): void {
  withRows(rules.command('list').description('List the rules by name'), listColumns, detailColumns).action(
    async (options: OutputOptions, command: Command) => {
      printRows(context, options, await allRules(clientOf(context, command)), listColumns, detailColumns);
    },
  );
  withFields(rules.command('show').description('Show a rule').argument('<rule>', 'uuid or name'), detailColumns).action(
    async (rule: string, options: OutputOptions, command: Command) => {
      printRow(context, options, await clientOf(context, command).internal<object>('GET', pathOf(rule)), detailColumns);
    },
  );
}

async function allRules(client: VigilClient): Promise<object[]> {
  const rules: object[] = [];
  for (let marker: string | null = ''; marker !== null; ) {
    const page: RulePage = await client.internal<RulePage>('GET', marker === '' ? path : `${path}?marker=${marker}`);
    rules.push(...page.placement_rules);
    marker = page.next;
  }
  return rules;
}

function registerWrites(rules: Command, context: CliContext): void {
  withConditions(
    rules
      .command('create')
      .description('Create a rule; it applies to all later plans')
      .argument('<name>', 'unique name')
      .addOption(suggesting('-k, --kind <kind>', 'kind of the rule', kinds).makeOptionMandatory()),
  ).action(async (name: string, options: RuleOptions, command: Command) => {
    const body = { name, ...bodyOf(options) };
    printRow(context, options, await clientOf(context, command).internal<object>('POST', path, body), detailColumns);
  });

  withConditions(
    rules
      .command('set')
      .description('Change fields of a rule; conditions on instances or hosts replace all existing ones')
      .argument('<rule>', 'uuid or name')
      .option('--name <name>', 'new name')
      .addOption(suggesting('-k, --kind <kind>', 'another kind', kinds)),
  ).action(async (rule: string, options: RuleOptions, command: Command) => {
    const body = { ...(options.name ? { name: options.name } : {}), ...bodyOf(options) };
    if (Object.keys(body).length === 0) throw new UsageError('specify at least one change');
    const changed = await clientOf(context, command).internal<object>('PATCH', pathOf(rule), body);
    printRow(context, options, changed, detailColumns);
  });

  withJson(rules.command('delete').description('Remove rules').argument('<rule...>', 'uuids or names')).action(
    async (names: string[], { json }: OutputOptions, command: Command) => {
      const client = clientOf(context, command);
      for (const name of names) await client.internal('DELETE', pathOf(name));
      if (json) printJson(context, { deleted: names });
    },
  );
}

function withConditions(command: Command): Command {
  return withFields(command, detailColumns)
    .option('--description <text>', 'description')
    .option('-i, --instance <pattern>', 'name of instances, with * and ?; repeatable', collect)
    .option('--instance-id <uuid>', 'uuid of an instance; repeatable', collect)
    .option('-m, --metadata <key=pattern>', 'metadata of instances; repeatable, all must match', collect)
    .option('-p, --project <id>', 'project of instances; repeatable', collect)
    .option('--flavor <pattern>', 'flavor of instances; repeatable', collect)
    .option('--host <pattern>', 'host to prefer or avoid; repeatable', collect)
    .option('--aggregate <name>', 'hosts of an aggregate; repeatable', collect)
    .option('--zone <name>', 'hosts of an availability zone; repeatable', collect)
    .option('--max-per-host <number>', 'maximum number of instances on one host, for keep_apart', positive)
    .option('--strict', 'refuse migrations that violate it (default, except for prefer_hosts)')
    .option('--soft', 'penalize migrations that violate it instead')
    .option('--enable', 'enforce it (default)')
    .option('--disable', 'keep it without enforcing it')
    .option('--file <file>', 'JSON file with the fields; options take precedence');
}

function bodyOf(options: RuleOptions): Record<string, unknown> {
  const instances = withoutEmpty({
    uuids: options.instanceId,
    names: options.instance,
    projects: options.project,
    flavors: options.flavor,
    metadata: metadataOf(options.metadata),
  });
  const hosts = withoutEmpty({ names: options.host, aggregates: options.aggregate, zones: options.zone });
  return {
    ...fromFile(options.file),
    ...withoutEmpty({
      kind: options.kind,
      description: options.description,
      max_per_host: options.maxPerHost,
      strict: choice(options.strict, options.soft, '--strict and --soft'),
      enabled: choice(options.enable, options.disable, '--enable and --disable'),
      instances: Object.keys(instances).length > 0 ? instances : undefined,
      hosts: Object.keys(hosts).length > 0 ? hosts : undefined,
    }),
  };
}

function choice(yes: boolean | undefined, no: boolean | undefined, names: string): boolean | undefined {
  if (yes && no) throw new UsageError(`${names} exclude each other`);
  return yes ? true : no ? false : undefined;
}

function metadataOf(words: readonly string[] | undefined): Record<string, string> | undefined {
  if (!words) return undefined;
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at < 1) throw new UsageError(`${word} must have the form key=pattern`);
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

function fromFile(file: string | undefined): Record<string, unknown> {
  if (file === undefined) return {};
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return { ...read };
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError(`${file} must hold a JSON object`);
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function pathOf(rule: string): string {
  return `${path}/${encodeURIComponent(rule)}`;
}
