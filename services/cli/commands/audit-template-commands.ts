import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type AuditTemplateCreate, dataOf } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { UsageError } from '../errors.ts';
import { column, objectText, recordTimes, strategyColumn } from '../output/columns.ts';
import { type OutputOptions, withFields } from '../output/output-options.ts';
import { printRow } from '../output/print.ts';
import { registerChanges } from './register-changes.ts';
import { goalAndStrategyFilters, registerReads } from './register-reads.ts';
import { clientOf, collect, parseParameters } from './shared-options.ts';

const listColumns = [column('uuid'), column('name'), column('goal_name'), strategyColumn];
const detailColumns = [
  column('uuid'),
  ...recordTimes,
  column('description'),
  column('name'),
  column('goal_name'),
  strategyColumn,
  column('scope', objectText),
  column('default_parameters', objectText),
];

interface CreateOptions extends OutputOptions {
  strategy?: string;
  description?: string;
  scope?: string;
  parameter?: string[];
}

/** `audittemplate`: templates of audits. */
export function registerAuditTemplateCommands(program: Command, context: CliContext): void {
  const parent = program.command('audittemplate').description('Audit templates');
  registerReads(parent, context, {
    collection: 'audit_templates',
    noun: 'audit template',
    list: listColumns,
    detail: detailColumns,
    filters: goalAndStrategyFilters,
  });
  withFields(parent.command('create').description('Create an audit template'), detailColumns)
    .argument('<name>')
    .argument('<goal>', 'uuid or name')
    .option('-s, --strategy <strategy>', 'uuid or name of a strategy of the goal')
    .option('-d, --description <text>', 'description')
    .option('--scope <file>', 'JSON file with the scope')
    .option('-p, --parameter <name=value>', 'default parameter of the strategy; repeatable', collect)
    .action(async (name: string, goal: string, options: CreateOptions, command: Command) => {
      const body: AuditTemplateCreate = {
        name,
        goal,
        strategy: options.strategy,
        description: options.description,
        scope: options.scope === undefined ? undefined : await readScope(options.scope),
        default_parameters: parseParameters(options.parameter),
      };
      const template = await dataOf(clientOf(context, command).api.POST('/v1/audit_templates', { body }));
      printRow(context, options, template, detailColumns);
    });
  registerChanges(parent, context, {
    collection: 'audit_templates',
    noun: 'an audit template',
    ident: 'uuid or name',
    columns: detailColumns,
  });
}

async function readScope(file: string): Promise<Record<string, unknown>[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>[];
  } catch (error) {
    throw new UsageError(`--scope ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
