import type { ActionView } from '#libs/store';
import type { ActionSpec, Change } from './plan-specs.ts';
import type { ThingState } from './things.ts';

type Row = Pick<
  ActionView,
  'uuid' | 'actionType' | 'state' | 'statusMessage' | 'rollbackState' | 'rollbackMessage' | 'inputParameters'
>;

/** A false end state of an action or its rollback. */
export interface Contradiction {
  action: string;
  text: string;
}

/** A change with the result that its action reports, or its reversal by a separate plan. */
interface Claim {
  row: Row;
  aspect: Change['aspect'];
  from: string;
  to: string;
}

/**
 * Compares the results that actions report for one thing with its real state. `rows` holds the actions of the plan,
 * then those of the plans that undo it. `before` and `after` are its states while nothing else used it. `asked` holds
 * the actions that sent a request to the cloud.
 */
export function contradictionsOf(
  specs: readonly ActionSpec[],
  rows: readonly Row[],
  before: ThingState,
  after: ThingState,
  requested: ReadonlySet<string>,
): Contradiction[] {
  const claims = claimsOf(specs, rows);
  const aspects = [...new Set(claims.map(({ aspect }) => aspect))];
  return aspects.flatMap((aspect) => {
    const own = claims.filter((claim) => claim.aspect === aspect);
    const expected = own.reduce((value, claim) => (isEffective(claim.row) ? claim.to : value), before[aspect]);
    const last = own.findLast(({ row }) => row.state !== 'SKIPPED') ?? own.at(-1);
    const undone = own.find(
      ({ row, from }, place) =>
        row.rollbackState === 'FAILED' &&
        row.state === 'SUCCEEDED' &&
        from === after[aspect] &&
        // A change that a later plan undid was not undone by its own plan.
        !own
          .slice(place + 1)
          .some((later) => isEffective(later.row) && later.to === from && requested.has(later.row.uuid)),
    );
    if (!last || (after[aspect] === expected && !undone)) return [];
    const failed = own.filter(({ row }) => isUnknown(row));
    // A change that failed half way may leave a part behind. If the whole change is in place, it did not fail.
    if (failed.length > 0 && !undone && !failed.some(({ to }) => to === after[aspect])) return [];
    const { row } = undone ?? failed.find(({ to }) => to === after[aspect]) ?? last;
    const rollback = row.rollbackState === null ? '' : `, its rollback ${row.rollbackState}`;
    const reason = row.rollbackMessage ?? row.statusMessage ?? 'no reason stored';
    const text = `action ${row.uuid} (${row.actionType}) is ${row.state}${rollback} (${reason}), but ${aspect} is ${after[aspect]}, not ${expected}`;
    return [{ action: row.uuid, text }];
  });
}

/** Changes in the order of the plan, then their reversals in reverse order. */
function claimsOf(specs: readonly ActionSpec[], rows: readonly Row[]): Claim[] {
  const planned = specs.flatMap(({ uuid, change }) => {
    const row = rows.find((candidate) => candidate.uuid === uuid);
    return row && change ? [{ row, ...change }] : [];
  });
  const undoing = planned
    .toReversed()
    .flatMap(({ row: { uuid }, aspect, from, to }) =>
      rows
        .filter(({ actionType, inputParameters }) => actionType === 'revert' && inputParameters.action_uuid === uuid)
        .map((row) => ({ row, aspect, from: to, to: from })),
    );
  return [...planned, ...undoing];
}

function isEffective({ state, rollbackState }: Row): boolean {
  return state === 'SUCCEEDED' && rollbackState !== 'SUCCEEDED';
}

function isUnknown({ state, rollbackState }: Row): boolean {
  return state === 'FAILED' || rollbackState === 'FAILED';
}
