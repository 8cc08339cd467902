import type { AccessRule, StoragePool, Volume, VolumeType } from '#libs/openstack';
import type { AccessScope, ActionContext, ActionPlugin, JournalEntries, PreConditionResult } from '#libs/plugin-kit';
import { actOnVolume, volumeReads } from '../access.ts';
import { type ChangeKind, type Direction, openChange, traceIn } from '../change/change.ts';
import { ActionFailedError } from '../errors.ts';
import { readForCheck } from '../read-for-check.ts';
import { findVolume, requireVolume, type VolumeMigrateInput, volumeMigrateSchema } from './find-volume.ts';
import { judge } from './judgement.ts';
import { volumePreCondition } from './pre-condition.ts';
import { settle, volumeBudgetMs } from './settle.ts';
import { readTrace, startTrace, type VolumeTrace } from './volume-trace.ts';

const volumeChange: ChangeKind<VolumeMigrateInput, VolumeTrace> = {
  read: readTrace,
  judge: async (context, trace, wasAccepted) => judge(await findVolume(context), trace, wasAccepted),
};

const changeOf = (context: ActionContext<VolumeMigrateInput>, direction: Direction) =>
  openChange(context, direction, volumeChange);

/** Moves a volume to another pool, or changes its type, and checks the result in Cinder. */
export const volumeMigrate: ActionPlugin<VolumeMigrateInput> = {
  kind: 'action',
  name: 'volume_migrate',
  description: 'Moving a volume to destination_node or destination_type',
  schema: volumeMigrateSchema,
  revertible: 'best-effort',
  abortable: false,
  timeoutMs: (_input, options) => volumeBudgetMs(options) * 1.2,
  occupies: (input) => [`resource:${input.resource_id}`],
  access,
  preCondition: volumePreCondition,
  execute,
  postCondition: async () => {},
  probe: (context) => changeOf(context, 'forward').probe(),
  waitFor,
  revert,
  revertCondition,
  describeRevert,
  abort: async () => false,
};

/** The volume may be given by name instead of id. */
async function access(scope: AccessScope<VolumeMigrateInput>): Promise<AccessRule[]> {
  const volume = await findVolume(scope);
  return [actOnVolume(volume?.uuid ?? scope.input.resource_id), ...volumeReads];
}

/** Whether the volume is still where the plan moved it. */
async function revertCondition(context: ActionContext<VolumeMigrateInput>): Promise<PreConditionResult> {
  const { resource_id: id } = context.input;
  const trace = changeOf(context, 'forward').trace();
  if (!trace) return { go: false, skip: `Volume ${id} was not changed by the action plan` };
  const volume = await readForCheck(() => findVolume(context));
  if (!volume) return { go: false, skip: `Volume ${id} not found` };
  const present = trace.operation === 'migrate' ? volume.host : volume.volumeType;
  const what = trace.operation === 'migrate' ? 'on' : 'of type';
  if (present !== trace.to) return { go: false, skip: `Volume ${id} is ${what} ${present}, not ${what} ${trace.to}` };
  return { go: true };
}

function describeRevert(input: VolumeMigrateInput, journal: JournalEntries): string | null {
  const volume = `volume ${input.resource_name ?? input.resource_id}`;
  const trace = traceIn({ journal: { current: () => journal } }, 'forward', volumeChange);
  if (!trace) return `Leaves ${volume} unchanged`;
  if (trace.from === null) return null;
  return trace.operation === 'migrate'
    ? `Moves ${volume} back to ${trace.from}`
    : `Gives ${volume} type ${trace.from} again`;
}

function execute(context: ActionContext<VolumeMigrateInput>): Promise<boolean> {
  const { migration_type: type, destination_node: pool, destination_type: wanted } = context.input;
  if (type === 'retype') return moveVolume(context, 'forward', 'retype', required('destination_type', wanted));
  return moveVolume(context, 'forward', 'migrate', required('destination_node', pool));
}

function waitFor(context: ActionContext<VolumeMigrateInput>): Promise<boolean> {
  const trace = changeOf(context, 'forward').trace();
  return trace ? settle(context, trace, 'forward') : execute(context);
}

async function revert(context: ActionContext<VolumeMigrateInput>): Promise<boolean> {
  const trace = changeOf(context, 'forward').trace();
  if (!trace) return true;
  if (trace.from === null) throw new ActionFailedError('The volume had no type before, which cannot be restored');
  return moveVolume(context, 'backward', trace.operation, trace.from);
}

function required(name: string, value: string | null | undefined): string {
  if (!value) throw new ActionFailedError(`${name} is missing`);
  return value;
}

/**
 * Moves the volume to a pool, or changes its type, and waits for the proof. Idempotent: a volume in the destination
 * counts as moved, and a journalled request is only repeated when the cloud shows no trace of it.
 */
async function moveVolume(
  context: ActionContext<VolumeMigrateInput>,
  direction: Direction,
  operation: VolumeTrace['operation'],
  to: string,
): Promise<boolean> {
  const change = changeOf(context, direction);
  const known = await change.visibleTrace();
  if (known) return settle(context, known, direction);
  const volume = await requireVolume(context);
  const trace = startTrace(volume, operation, to);
  if (judge(volume, trace, false).kind === 'applied') return true;
  if (operation === 'migrate') await requireCompatible(context, volume, to);
  const { volume: cinder } = context.cloud;
  await change.send(trace, () =>
    operation === 'migrate' ? cinder.migrateVolume(volume.uuid, to) : cinder.retypeVolume(volume.uuid, to),
  );
  return settle(context, trace, direction);
}

/**
 * Conditions of Cinder and Nova for moving a volume: only a running or paused server may use it, and the pool must
 * support its type.
 * @throws ActionFailedError
 */
async function requireCompatible(
  context: ActionContext<VolumeMigrateInput>,
  volume: Volume,
  pool: string,
): Promise<void> {
  await requireUsableAttachment(context, volume);
  if (volume.volumeType === null) return;
  const type = (await context.cloud.volume.listTypes()).find((one) => one.name === volume.volumeType);
  const target = (await context.cloud.volume.listPools()).find((one) => one.name === pool);
  if (!target) throw new ActionFailedError(`Pool ${pool} not found`);
  if (type && !fits(type, target)) {
    throw new ActionFailedError(`Volume type '${type.name}' is not compatible with destination pool '${pool}'`);
  }
}

async function requireUsableAttachment(context: ActionContext<VolumeMigrateInput>, volume: Volume): Promise<void> {
  const [attachment] = volume.attachments;
  if (!attachment) return;
  const server = await context.cloud.compute.getServer(attachment.serverId);
  const isUsable = volume.status === 'in-use' && ['ACTIVE', 'PAUSED'].includes(server?.status ?? '');
  if (isUsable) return;
  throw new ActionFailedError(
    `Volume ${volume.uuid} (${volume.status}) is attached to server ${attachment.serverId} (${server?.status ?? 'gone'})`,
  );
}

/** Every extra spec that the pool reports must be equal. Cinder ignores the others. */
function fits(type: VolumeType, pool: StoragePool): boolean {
  return Object.entries(type.extraSpecs).every(([name, value]) => (pool.capabilities[name] ?? value) === value);
}
