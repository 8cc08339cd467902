import type { ActionContext, ActionPlugin, JournalEntries, PreConditionResult, ProbeResult } from '#libs/plugin-kit';
import { ActionFailedError } from '../errors.ts';
import { resultOf } from '../journal-slot.ts';
import { lookUp } from '../look-up.ts';
import { probeResult } from '../probe-result.ts';
import { findVolume } from './find-volume.ts';
import { type VolumeMigrateInput, volumeMigrateSchema } from './input.ts';
import { judge } from './judgement.ts';
import { moveVolume } from './move-volume.ts';
import { volumePreCondition } from './pre-condition.ts';
import { settle, volumeBudgetMs } from './settle.ts';
import { traceOf } from './volume-trace.ts';

/** Moves a volume to another pool, or gives it another type, and proves by Cinder's own view that it arrived. */
export const volumeMigrate: ActionPlugin<VolumeMigrateInput> = {
  kind: 'action',
  name: 'volume_migrate',
  description: 'Moving a volume to destination_node or destination_type',
  schema: volumeMigrateSchema,
  revertible: 'best-effort',
  abortable: false,
  timeoutMs: (_input, options) => volumeBudgetMs(options) * 1.2,
  occupies: (input) => [`resource:${input.resource_id}`],
  preCondition: volumePreCondition,
  execute,
  postCondition: async () => {},
  probe,
  waitFor,
  revert,
  revertCondition,
  describeRevert,
  abort: async () => false,
};

/** Whether the volume still is where the plan put it. */
async function revertCondition(context: ActionContext<VolumeMigrateInput>): Promise<PreConditionResult> {
  const { resource_id: id } = context.input;
  const trace = traceOf(context, 'forward');
  if (!trace) return { go: false, skip: `Volume ${id} was not changed by the action plan` };
  const volume = await lookUp(() => findVolume(context));
  if (!volume) return { go: false, skip: `Volume ${id} not found` };
  const present = trace.operation === 'migrate' ? volume.host : volume.volumeType;
  const what = trace.operation === 'migrate' ? 'on' : 'of type';
  if (present !== trace.to) return { go: false, skip: `Volume ${id} is ${what} ${present}, not ${what} ${trace.to}` };
  return { go: true };
}

function describeRevert(input: VolumeMigrateInput, journal: JournalEntries): string | null {
  const volume = `volume ${input.resource_name ?? input.resource_id}`;
  const trace = traceOf({ journal: { current: () => journal } }, 'forward');
  if (!trace) return `Leaves ${volume} as it is`;
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
  const trace = traceOf(context, 'forward');
  return trace ? settle(context, trace, 'forward') : execute(context);
}

async function revert(context: ActionContext<VolumeMigrateInput>): Promise<boolean> {
  const trace = traceOf(context, 'forward');
  if (!trace) return true;
  if (trace.from === null) throw new ActionFailedError('The volume had no type before, which can not be restored');
  return moveVolume(context, 'backward', trace.operation, trace.from);
}

async function probe(context: ActionContext<VolumeMigrateInput>): Promise<ProbeResult> {
  const trace = traceOf(context, 'forward');
  if (!trace) return 'not_started';
  const accepted = resultOf(context, 'forward')?.accepted === true;
  const { kind } = judge(await findVolume(context), trace, accepted);
  return probeResult(kind, accepted);
}

function required(name: string, value: string | null | undefined): string {
  if (!value) throw new ActionFailedError(`${name} is missing`);
  return value;
}
