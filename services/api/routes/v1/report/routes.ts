import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Period } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { momentArgument, type QueryArguments, queryArguments } from '../../../collections/query-arguments.ts';
import { invalidField } from '../../../http/faults/fault.ts';
import { describe } from '../../../openapi/route-schemas.ts';
import { createPreviewTurns } from '../audits/preview-turns.ts';
import { readReport } from './read-report.ts';

const dayMs = 86_400_000;
const maxDays = 366;
const defaultDays = 30;
/** Concurrent reports of this process. Each reads all plans and actions of its period. */
const reportConcurrency = 2;
const example = '2026-11-01T00:00:00Z';

/** `GET /v1/report`: results of a period. Reports of one user take turns, and so do users. */
export function registerReportRoute(app: FastifyInstance, deps: RouteDeps): void {
  const schema = describe({
    tag: 'report',
    operationId: 'get_report',
    summary: 'Plans, moves, promises, energy and fullest hosts of a period (extension)',
    query: {
      from: Type.Optional(
        Type.String({
          description: `Start, ISO 8601 with offset or a UTC day. Default: ${defaultDays} days before the end.`,
        }),
      ),
      to: Type.Optional(
        Type.String({ description: `End, exclusive; at most ${maxDays} days after the start. Default: now.` }),
      ),
    },
    response: 'PeriodReport',
  });
  const turns = createPreviewTurns({ what: 'reports', concurrency: reportConcurrency });
  app.get('/v1/report', { schema }, async (request, reply) => {
    const query = queryArguments(request, ['from', 'to']);
    authorize(deps.policy, request, 'report:get');
    const period = periodOf(query, deps.clock.now());
    return turns.run(request, reply, (options) => readReport(deps, period, options));
  });
}

/** @throws ApiFault 400 unless it is a period that has started, of at most `maxDays` */
function periodOf(query: QueryArguments, nowMs: number): Period {
  const forms = { example, takesDays: true };
  const to = momentArgument(query, 'to', forms) ?? nowMs;
  const from = momentArgument(query, 'from', forms) ?? to - defaultDays * dayMs;
  const [start, end] = [new Date(from), new Date(to)];
  if (from < 0) throw invalidField('from', start.toISOString(), 'It is before 1970.');
  if (from >= nowMs) throw invalidField('from', start.toISOString(), 'It is in the future.');
  if (to <= from) throw invalidField('to', end.toISOString(), `It must be after the start, ${start.toISOString()}.`);
  if (to - from > maxDays * dayMs)
    throw invalidField('from', start.toISOString(), `The period is longer than ${maxDays} days.`);
  return { from: start, to: end };
}
