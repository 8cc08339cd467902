import type { Command } from 'commander';
import { waitUntil } from '#libs/client';
import type { CliContext } from '../cli-context.ts';
import { OutcomeError } from '../errors.ts';
import { column, objectText } from '../output/columns.ts';
import { type OutputOptions, withFields, withJson, withRows } from '../output/output-options.ts';
import { printJson, printRow, printRows, printTables } from '../output/print.ts';
import { clientOf } from './shared-options.ts';
import { createWaiter, type WaitCommandOptions, withMaxOutage } from './waiter.ts';

interface ServiceRow {
  name: string;
  host: string;
  instance: Record<string, unknown>;
}

interface CheckResponse {
  status: 'pass' | 'warn' | 'fail';
  checks: { name: string; status: string; reason: string | null; durationMs: number }[];
}

interface RequestResponse {
  id: string;
  kind: string;
  service: string;
  host: string;
  state: 'PENDING' | 'OK' | 'CANCELLED' | 'TIMED_OUT';
  reason: string | null;
}

const serviceColumns = [
  column('name'),
  column('host'),
  column('status'),
  column('version', { leaveOut: 1 }),
  column('pid', { leaveOut: 2 }),
  column('last_seen_at'),
  column('degraded'),
];
const checkColumns = [column('name'), column('status'), column('reason'), column('durationMs')];
const eventColumns = [
  column('at'),
  column('type'),
  column('service'),
  column('host'),
  column('doc', { format: objectText, isText: true }),
];
const requestColumns = [column('kind'), column('service'), column('host'), column('state'), column('reason')];
const decisionColumns = [
  column('decided_at'),
  column('rule'),
  column('outcome'),
  column('detail'),
  column('duration_ms'),
];

/** `services` (desired and actual state) and `service check|status|restart|stop|start`. */
export function registerServiceCommands(program: Command, context: CliContext): void {
  const services = withRows(
    program.command('services').description('List expected and running processes'),
    serviceColumns,
    eventColumns,
    decisionColumns,
  )
    .option('--events', 'their events, newest first')
    .option('--decisions', 'decisions of the recovery coordinator, newest first');
  services.action(async (options: OutputOptions & { events?: boolean; decisions?: boolean }, command: Command) => {
    const { internal } = clientOf(context, command);
    if (options.events) {
      const { events } = await internal<{ events: object[] }>('GET', '/services/events');
      return printRows(context, options, events, eventColumns);
    }
    if (options.decisions) {
      const { decisions } = await internal<{ decisions: object[] }>('GET', '/services/decisions');
      return printRows(context, options, decisions, decisionColumns);
    }
    const { services: rows } = await internal<{ services: ServiceRow[] }>('GET', '/services');
    const shown = options.json && !options.column ? rows : rows.map((row) => ({ ...row.instance, ...row }));
    printRows(context, options, shown, serviceColumns);
  });

  const parent = program.commands.find((command) => command.name() === 'service') ?? program.command('service');
  const one = (word: string, description: string) =>
    parent.command(word).description(description).argument('<service>', 'name, name@host or instance uuid');
  withRows(one('check', 'Request the health of a process'), checkColumns).action(
    async (service: string, options: OutputOptions, command: Command) => {
      const response = await clientOf(context, command).internal<CheckResponse>('GET', pathOf(service, 'check'));
      printTables(context, options, response, [{ rows: response.checks, columns: checkColumns }]);
      if (response.status === 'fail') throw new OutcomeError(`${service} cannot work`);
    },
  );
  withJson(one('status', 'Request the full status of a process')).action(
    async (service: string, _options: OutputOptions, command: Command) => {
      printJson(context, await clientOf(context, command).internal<object>('GET', pathOf(service, 'status')));
    },
  );
  for (const kind of ['restart', 'stop', 'start'] as const) {
    withMaxOutage(withFields(one(kind, `Request a ${kind} and wait for the result`), requestColumns)).action(
      async (service: string, options: WaitCommandOptions, command: Command) => {
        const { internal } = clientOf(context, command);
        const waiter = createWaiter(context, { ...options, wait: true });
        const { id } = await internal<RequestResponse>('POST', pathOf(service, kind));
        const read = () => internal<RequestResponse>('GET', `/service-requests/${id}`);
        const request = await waiter.wait(
          (settings) => waitUntil(read, ({ state }) => state !== 'PENDING', settings, kind),
          `the ${kind} continues: vigil services --events`,
        );
        printRow(context, options, request, requestColumns);
        if (request.state !== 'OK') throw new OutcomeError(`${kind} of ${service}: ${request.state}`);
      },
    );
  }
}

function pathOf(service: string, word: string): string {
  return `/services/${encodeURIComponent(service)}/${word}`;
}
