import type { FastifyReply, FastifyRequest } from 'fastify';
import { AlreadyExistsError, type Goal, type JsonObject } from '#libs/domain';
import { auditTrigger, message } from '#libs/messaging';
import type { AuditTemplateView, AuditView, StrategyView } from '#libs/store';
import type { RouteDeps } from '../../../api-deps.ts';
import { authorize } from '../../../auth/policy.ts';
import { getEntity } from '../../../collections/find-entity.ts';
import { badRequest, conflict } from '../../../http/faults/fault.ts';
import type { ClaimKey } from '../../../http/request/idempotency.ts';
import { checkInterval, intervalFaultOfPost } from '../../../http/watcher-text/interval.ts';
import { requireJsonObject } from '../../../http/watcher-text/json-body.ts';
import { checkAuditParameters } from '../../../parameters/check-parameters.ts';
import { knownUser } from '../action-plans/approval/decide-approval.ts';
import { otherGoalText } from '../audit-templates/create-audit-template.ts';
import { type AuditInput, checkAuditInput, intervalField, readAuditInput } from './audit-input.ts';
import { authorizeAutoTrigger } from './auto-trigger.ts';
import { checkOppositeAudits, warn } from './opposite-audits.ts';

/** Longest audit name. Longer ones are cut, as Watcher does. */
export const maxAuditName = 63;

/** `POST /v1/audits`: the audit and, for ONESHOT, the message that has it run, in one transaction. */
export async function createAudit(
  deps: RouteDeps,
  request: FastifyRequest,
  claim: ClaimKey,
  reply: FastifyReply,
): Promise<AuditView> {
  const input = readAuditInput(requireJsonObject(request, 'audit_p'));
  authorize(deps.policy, request, 'audit:create');
  checkAuditInput(input, request.microversion);
  const autoTrigger = input.autoTrigger ? authorizeAutoTrigger(deps.policy, request) : {};
  const sources = await findSources(deps, input);
  const interval = intervalField({ interval: input.interval });
  if (interval !== null) checkInterval(interval, intervalFaultOfPost);
  const spec = sources.strategy?.parametersSpec ?? null;
  const parameters = checkAuditParameters(mergedParameters(input, sources), spec);
  const row = {
    uuid: deps.newUuid(),
    auditType: input.auditType,
    goalId: sources.goalId,
    strategyId: sources.strategy?.id ?? null,
    parameters,
    scope: sources.template?.scope ?? [],
    autoTrigger: input.autoTrigger,
    automationLevel: input.automationLevel,
    ...autoTrigger,
    requester: knownUser(request.caller),
    force: input.force,
    interval,
    startTime: input.startTime,
    endTime: input.endTime,
  };
  const names = possibleNames(deps, input, sources);
  const { audit, warning } = await insertUnderName(names, (name) =>
    insertAudit(deps, request, { ...row, name }, claim),
  );
  warn(reply, warning);
  return audit;
}

type NewAudit = Parameters<RouteDeps['store']['db']['audits']['insert']>[0];

interface Inserted {
  audit: AuditView;
  warning: string | null;
}

/** Generated names may clash with those of concurrent requests. The next name is tried then. */
async function insertUnderName(
  [name, ...others]: readonly string[],
  insert: (name: string) => Promise<Inserted>,
): Promise<Inserted> {
  if (name === undefined) throw new Error('an audit needs a name');
  try {
    return await insert(name);
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    if (others.length > 0) return insertUnderName(others, insert);
    throw conflict(`An audit with UUID or name ${name} already exists`);
  }
}

function insertAudit(deps: RouteDeps, request: FastifyRequest, row: NewAudit, claim: ClaimKey): Promise<Inserted> {
  return deps.store.transaction(async (unit) => {
    await claim(unit, row.uuid);
    const audit = await unit.audits.insert(row);
    if (audit.auditType === 'ONESHOT') {
      const trigger = message(auditTrigger, { audit_uuid: audit.uuid, reason: 'created' });
      await unit.outbox.add({ eventId: deps.newUuid(), ...trigger, requestId: request.id });
    }
    return { audit, warning: await checkOppositeAudits(unit, audit, deps.oppositeAudits()) };
  });
}

interface Sources {
  goalId: number;
  goal: Goal | null;
  strategy: StrategyView | null;
  template: AuditTemplateView | null;
}

async function findSources(deps: RouteDeps, input: AuditInput): Promise<Sources> {
  const { db } = deps.store;
  const template = input.templateUuid === null ? null : await db.auditTemplates.find(input.templateUuid);
  if (input.templateUuid !== null && template === null) {
    throw badRequest('The audit template UUID or name specified is invalid');
  }
  const strategyIdent = input.strategy ?? template?.strategyUuid ?? null;
  const strategy = strategyIdent === null ? null : await getEntity(db.strategies, 'Strategy', strategyIdent);
  if (template) return checkGoal(deps, { goalId: template.goalId, goal: null, strategy, template });
  const goal = await getEntity(db.goals, 'Goal', input.goal ?? '');
  return checkGoal(deps, { goalId: goal.id, goal, strategy, template: null });
}

async function checkGoal(deps: RouteDeps, sources: Sources): Promise<Sources> {
  const { strategy, goalId } = sources;
  if (strategy && strategy.goalId !== goalId) {
    const name = sources.goal?.name ?? sources.template?.goalName ?? '';
    throw badRequest(await otherGoalText(deps, strategy.name, { id: goalId, name }));
  }
  return sources;
}

/** The request's parameters override the template's, unless those belong to another strategy. */
function mergedParameters(input: AuditInput, { template, strategy }: Sources): JsonObject | null {
  const inherits = template !== null && template.strategyId === (strategy?.id ?? null);
  if (!inherits || Object.keys(template.defaultParameters).length === 0) return input.parameters;
  return { ...template.defaultParameters, ...input.parameters };
}

/**
 * Generated names contain the time in microseconds. The clock has milliseconds, so the remaining digits keep names
 * distinct.
 */
const namesPerMillisecond = 1000;

function possibleNames(deps: RouteDeps, input: AuditInput, sources: Sources): string[] {
  if (input.name !== null) {
    if (input.name.length > maxAuditName) {
      deps.logger.info({ name: input.name.slice(0, maxAuditName), maxAuditName }, 'audit name truncated');
    }
    return [input.name.slice(0, maxAuditName)];
  }
  const subject = sources.strategy?.name ?? sources.template?.name ?? sources.goal?.name ?? '';
  const moment = new Date(deps.clock.now()).toISOString().slice(0, -1);
  const first = Math.floor(deps.random() * namesPerMillisecond);
  return [0, 1, 2, 3].map((offset) => {
    const microseconds = String((first + offset) % namesPerMillisecond).padStart(3, '0');
    return `${subject}-${moment}${microseconds}`.slice(0, maxAuditName);
  });
}
