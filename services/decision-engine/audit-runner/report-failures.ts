import {
  type ComputeSnapshot,
  type ConstraintName,
  createWhatIf,
  hasDestination,
  refuseDestinations,
  type StorageSnapshot,
} from '#libs/cluster-model';
import { type BlockedCount, counted, refusalFacts } from '#libs/domain';
import type { FailedMigration, RefusedMove } from './failed-migrations.ts';

/** Note of a report on failed migrations. */
export interface FailureTale {
  /** Uuids of those in the snapshot. */
  uuids: string[];
  notes: string[];
  /** The counts of a strategy, plus the count of resting instances. */
  blocked(counts: readonly BlockedCount[]): BlockedCount[];
}

const constraint: ConstraintName = 'migration-failed';
const exampleLimit = 3;

/** Movable entities by uuid: instances, and volumes if the strategy reads them. */
type Models = [Pick<ComputeSnapshot, 'instanceInfo'>, Pick<StorageSnapshot, 'volumes'>?];

/**
 * Returns the instances and volumes that must rest. A strategy that acts by order retries them, with a note on the
 * failures.
 */
export function reportFailedMigrations(
  [{ instanceInfo }, storage]: Models,
  failed: readonly FailedMigration[],
  byOrder: boolean,
): FailureTale {
  const kinds = [
    { noun: 'instance', things: instanceInfo },
    { noun: 'volume', things: storage?.volumes ?? [] },
  ].map(({ noun, things }) => {
    const names = new Map(things.map(({ uuid, name }) => [uuid, name === '' ? uuid : name]));
    const here = failed.flatMap((one) => ({ ...one, name: names.get(one.uuid) ?? '' }));
    return { noun, here: here.filter(({ name }) => name !== '') };
  });
  const all = kinds.flatMap(({ here }) => here);
  const isHeld = !byOrder && all.length > 0;
  const examples = all.slice(0, exampleLimit).map(({ name }) => name);
  return {
    uuids: all.map(({ uuid }) => uuid),
    notes: kinds.flatMap(({ noun, here }) => (here.length === 0 ? [] : [noteOn(noun, here, byOrder)])),
    blocked: (counts) => [
      ...counts.filter((count) => !isHeld || count.constraint !== constraint),
      ...(isHeld ? [{ constraint, count: all.length, examples }] : []),
    ],
  };
}

function noteOn(noun: string, here: readonly (FailedMigration & { name: string })[], byOrder: boolean): string {
  const texts = here.map(({ name, failures, heldUntilMs, refusal }) => {
    const until = byOrder ? '' : `, until ${new Date(heldUntilMs).toISOString()}`;
    const why = refusal === undefined ? '' : `, refused because ${refusalFacts[refusal].text}`;
    return `${name} (${failures} ${failures === 1 ? 'failure' : 'failures'}${why}${until})`;
  });
  const subject = counted(here.length, noun, ['is', 'are']);
  return byOrder
    ? `${subject} tried although migrations failed lately: ${examplesOf(texts)}`
    : `${subject} left alone after failed migrations: ${examplesOf(texts)}`;
}

function examplesOf(texts: readonly string[]): string {
  const rest = texts.length > exampleLimit ? ` and ${texts.length - exampleLimit} more` : '';
  return `${texts.slice(0, exampleLimit).join(', ')}${rest}`;
}

/**
 * The model without destinations that Nova recently refused, and a note on them. A strategy that acts by order retries
 * an instance without another destination.
 */
export function withoutRefusedMoves(
  snapshot: ComputeSnapshot,
  moves: readonly RefusedMove[],
  byOrder: boolean,
): { snapshot: ComputeSnapshot; notes: string[] } {
  const names = new Map(snapshot.instanceInfo.map(({ uuid, name }) => [uuid, name === '' ? uuid : name]));
  const here = moves.filter(({ instance }) => names.has(instance));
  if (here.length === 0) return { snapshot, notes: [] };
  const without = refuseDestinations(snapshot, here);
  const model = createWhatIf(without);
  const hasOther = ({ instance }: RefusedMove) => hasDestination(model, model.instanceRow(instance) ?? -1);
  const kept = byOrder ? here.filter(hasOther) : here;
  const texts = kept.map(({ instance, host, refusal, heldUntilMs }) => {
    const until = new Date(heldUntilMs).toISOString();
    return `${names.get(instance)} to ${host} (${refusalFacts[refusal].text}, until ${until})`;
  });
  return {
    snapshot: kept.length === here.length ? without : refuseDestinations(snapshot, kept),
    notes:
      kept.length === 0 ? [] : [`${kept.length} moves are left out because Nova refused them: ${examplesOf(texts)}`],
  };
}
