import { forcedDownText, type JsonObject, type SchemaValue } from '#libs/domain';
import type { AccessRule, ComputeService } from '#libs/openstack';
import type { AccessScope, ActionContext, ActionPlugin, PreConditionResult, ProbeResult } from '#libs/plugin-kit';
import { changeService } from '../access.ts';
import { intentOf } from '../change/journal-slot.ts';
import { lostResponsesMs, sendOnce } from '../change/send-once.ts';
import { ActionFailedError } from '../errors.ts';
import { readForCheck } from '../read-for-check.ts';
import { inputSchema } from '../schema.ts';
import { requireOtherHosts } from './last-host.ts';

/** JSON Schema of the parameters. */
const serviceStateSchema = inputSchema(['resource_id', 'state'], {
  resource_id: { type: 'string' },
  resource_name: { type: 'string' },
  state: { type: 'string', enum: ['up', 'down', 'enabled', 'disabled'] },
  disabled_reason: { type: 'string' },
});

/**
 * Parameters of `change_nova_service_state`. `resource_name` is the service host. As in Watcher, the schema accepts
 * `up` and `down`, but their execution fails.
 */
export type ServiceStateInput = SchemaValue<typeof serviceStateSchema>;

/** Prefixes of the reasons of Vigil and Watcher. Services disabled with other reasons belong to other users. */
const ownReason = /^(watcher_|Watcher )/;

type Wanted = { status: 'enabled' | 'disabled'; disabled_reason: string | null };

/** Enables or disables a nova-compute service. Its revert restores the former status and reason. */
export const changeNovaServiceState: ActionPlugin<ServiceStateInput> = {
  kind: 'action',
  name: 'change_nova_service_state',
  description:
    'Disables or enables the nova-compute service.A disabled nova-compute service can not be selected by the nova for future deployment of new server.',
  schema: serviceStateSchema,
  revertible: 'exact',
  abortable: false,
  timeoutMs: (_input, options) => 120_000 + lostResponsesMs(options),
  occupies: (input) => [`resource:${serviceLabel(input)}`],
  access,
  preCondition,
  execute,
  postCondition: async () => {},
  probe,
  waitFor: execute,
  findLost,
  revert,
  revertUse: (input) => ({ service: { host: serviceLabel(input), enables: input.state === 'disabled' } }),
  revertCondition,
  describeRevert: (input) =>
    `${input.state === 'disabled' ? 'Enables' : 'Disables'} the nova-compute service of ${serviceLabel(input)} again`,
  abort: async () => false,
};

/** A plan names the service by its host. The request needs its id. */
async function access(scope: AccessScope<ServiceStateInput>): Promise<AccessRule[]> {
  const service = await findService(scope);
  return service ? [changeService(service.id)] : [];
}

async function preCondition(context: ActionContext<ServiceStateInput>): Promise<PreConditionResult> {
  const label = serviceLabel(context.input);
  const service = await readForCheck(() => findService(context));
  if (!service) return { go: false, skip: `nova-compute service ${label} not found` };
  if (service.status === context.input.state) {
    return { go: false, skip: `nova-compute service ${label} is already in state ${context.input.state}` };
  }
  if (context.input.state === 'enabled') {
    requireOwn(context.input, service);
    // Nova would enable the service but schedule nothing to the host.
    if (service.forcedDown) throw new ActionFailedError(forcedDownText(service.host));
  }
  if (context.input.state === 'disabled') await readForCheck(() => requireOtherHosts(context, service));
  return { go: true };
}

/** Whether the service is unchanged since the plan, so that its change may be reverted. */
async function revertCondition(context: ActionContext<ServiceStateInput>): Promise<PreConditionResult> {
  const { state } = context.input;
  const label = serviceLabel(context.input);
  const journal = intentOf(context, 'forward');
  if (!journal) return { go: false, skip: `nova-compute service ${label} was not changed by the action plan` };
  const service = await readForCheck(() => findService(context));
  if (!service) return { go: false, skip: `nova-compute service ${label} not found` };
  if (service.status !== state) {
    return { go: false, skip: `nova-compute service ${label} is ${service.status}, not ${state}` };
  }
  if (state === 'disabled') requireOwn(context.input, service);
  return { go: true };
}

/** @throws ActionFailedError when another user disabled the service. */
function requireOwn(input: ServiceStateInput, service: ComputeService): void {
  const { disabledReason: reason } = service;
  const isForeign = reason !== null && reason !== '' && !ownReason.test(reason);
  if (isForeign && reason !== input.disabled_reason) {
    throw new ActionFailedError(`nova-compute service ${serviceLabel(input)} was disabled by another user (${reason})`);
  }
}

async function execute(context: ActionContext<ServiceStateInput>): Promise<boolean> {
  const { state, disabled_reason } = context.input;
  if (state === 'up' || state === 'down') throw new ActionFailedError('The target state is not defined');
  const service = await findService(context);
  if (!service) return false;
  if (service.status === state) return true;
  if (state === 'disabled') await requireOtherHosts(context, service);
  const former = {
    former_status: service.status,
    former_reason: service.disabledReason,
    former_forced_down: service.forcedDown,
  };
  return put(context, 'forward', { status: state, disabled_reason: reasonFor(state, disabled_reason) }, former);
}

async function probe(context: ActionContext<ServiceStateInput>): Promise<ProbeResult> {
  if (!intentOf(context, 'forward')) return 'not_started';
  const service = await findService(context);
  if (!service) return 'failed';
  return service.status === context.input.state ? 'applied' : 'not_started';
}

/** When the action started, the service had the other state. */
async function findLost(context: ActionContext<ServiceStateInput>, since: Date | null): Promise<JsonObject | null> {
  const { state, disabled_reason: reason } = context.input;
  const service = await findService(context);
  if (since !== null || service?.status !== state || (state !== 'enabled' && state !== 'disabled')) return null;
  const disabledReason = reasonFor(state, reason);
  if (state === 'disabled' && (service.disabledReason || null) !== disabledReason) return null;
  const former_status = state === 'enabled' ? 'disabled' : 'enabled';
  return { status: state, disabled_reason: disabledReason, former_status, former_reason: null };
}

async function revert(context: ActionContext<ServiceStateInput>): Promise<boolean> {
  const journal = intentOf(context, 'forward');
  if (!journal) return true;
  const service = await findService(context);
  if (!service) throw new ActionFailedError(`nova-compute service ${serviceLabel(context.input)} not found`);
  const status = journal.former_status === 'disabled' ? 'disabled' : 'enabled';
  const formerReason = typeof journal.former_reason === 'string' ? journal.former_reason : undefined;
  const former: Wanted = { status, disabled_reason: reasonFor(status, formerReason) };
  const isRestored =
    service.status === status && (status === 'enabled' || service.disabledReason === former.disabled_reason);
  if (!isRestored) {
    if (status === 'disabled') await requireOtherHosts(context, service);
    if (!(await put(context, 'backward', former, {}))) return false;
  }
  const isForcedSince = service.forcedDown && journal.former_forced_down === false;
  if (status === 'enabled' && isForcedSince) {
    throw new ActionFailedError(`Enabled again, but ${forcedDownText(service.host)}`);
  }
  return true;
}

async function put(
  context: ActionContext<ServiceStateInput>,
  slot: 'forward' | 'backward',
  wanted: Wanted,
  former: { former_status?: string; former_reason?: string | null; former_forced_down?: boolean },
): Promise<boolean> {
  const before = await findService(context);
  if (!before) return false;
  let reported: string | undefined;
  await sendOnce(context, {
    slot,
    intent: { ...wanted, ...former },
    send: async () => {
      reported = await context.cloud.compute.setServiceStatus(before.id, wanted.status, wanted.disabled_reason);
    },
    tookEffect: async () => (await findService(context))?.status === wanted.status,
  });
  return (reported ?? wanted.status) === wanted.status;
}

/** Nova takes a reason only when disabling. */
function reasonFor(status: 'enabled' | 'disabled', reason: string | undefined): string | null {
  return status === 'disabled' ? (reason ?? null) : null;
}

/** Display name of the service: its host, or the id when no host was given. */
function serviceLabel(input: ServiceStateInput): string {
  return input.resource_name ?? input.resource_id;
}

/** The nova-compute service on `resource_name`. Without one, `resource_id` may be its host or its id. */
async function findService(context: AccessScope<ServiceStateInput>): Promise<ComputeService | undefined> {
  const { resource_id: id, resource_name: host } = context.input;
  const services = await context.cloud.compute.listServices();
  return services.find(
    (service) =>
      service.binary === 'nova-compute' &&
      (host === undefined ? service.host === id || service.id === id : service.host === host),
  );
}
