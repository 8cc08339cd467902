import { brokenRules, type ComputeSnapshot, coolDown, createWhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type { MoveLedger, RestingInstance } from './move-ledger.ts';

const exampleLimit = 3;

/** Uuids of instances that break a rule on their host. */
function misplacedIn(snapshot: ComputeSnapshot): Set<string> {
  const rows = brokenRules(createWhatIf(snapshot)).flatMap(({ instances, hosts }) =>
    instances.filter((row) => hosts.includes(snapshot.instances.host[row] as number)),
  );
  return new Set(rows.map((row) => (snapshot.instanceInfo[row] as { uuid: string }).uuid));
}

/**
 * The model with resting instances, and a note for the report. Instances that break a rule rest only for the first
 * cool-down, so the violation can be repaired.
 */
export function restAfterMoves(
  snapshot: ComputeSnapshot,
  ledger: MoveLedger | null,
  nowMs: number,
): { snapshot: ComputeSnapshot; notes: string[] } {
  const names = new Map(snapshot.instanceInfo.map(({ uuid, name }) => [uuid, name === '' ? uuid : name]));
  const here = (ledger?.resting ?? []).filter(({ uuid }) => names.has(uuid));
  if (here.length === 0) return { snapshot, notes: [] };
  const misplaced = misplacedIn(snapshot);
  const resting = here.filter(({ uuid, repairFromMs }) => repairFromMs > nowMs || !misplaced.has(uuid));
  return {
    snapshot: coolDown(
      snapshot,
      resting.map(({ uuid }) => uuid),
    ),
    notes: resting.length === 0 ? [] : [noteOn(resting, names)],
  };
}

function noteOn(resting: readonly RestingInstance[], names: ReadonlyMap<string, string>): string {
  const texts = resting.slice(0, exampleLimit).map(({ uuid, moves, isOpposite, untilMs }) => {
    const often = moves === 1 ? 'once' : `${moves} times`;
    const by = isOpposite ? ', by an audit with the opposite aim' : '';
    return `${names.get(uuid)} (moved ${often} in the last day${by}, until ${new Date(untilMs).toISOString()})`;
  });
  const rest = resting.length > exampleLimit ? ` and ${resting.length - exampleLimit} more` : '';
  return `${counted(resting.length, 'instance', ['is', 'are'])} left alone after moves: ${texts.join(', ')}${rest}`;
}
