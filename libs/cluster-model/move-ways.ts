import { type MoveWay, moveRefusal, moveRules, type ServerCondition, usualWay } from '#libs/domain';
import type { ComputeSnapshot, InstanceColumns } from './compute-snapshot.ts';
import { hostFlag, instanceFlag, instanceStates } from './compute-snapshot.ts';
import type { ConstraintName } from './what-if.ts';

/** How the instances of a snapshot may leave their hosts, by Nova's table. */
export interface MoveWays {
  /** The default kind of move for the instance. Null when its state admits none. */
  usual(instance: number): 'live' | 'cold' | null;
  /**
   * Whether its state, or the state of its host, prevents this way of moving it. `sourceDown`: the host counts as
   * down. Default false.
   */
  refusal(instance: number, way: MoveWay, host: number, sourceDown?: boolean): ConstraintName | null;
}

function condition(vmState: string, isGuestThere: boolean): ServerCondition {
  return { vmState, powerState: isGuestThere ? 1 : 4, taskState: null };
}

function hasGuest({ flags }: InstanceColumns, instance: number): boolean {
  return ((flags[instance] as number) & instanceFlag.noGuest) === 0;
}

/** Whether Nova shows the compute service of a host as up. */
function isUp(flags: number): boolean {
  return (flags & hostFlag.up) !== 0 && (flags & hostFlag.forcedDown) === 0;
}

/** One place for every state of an instance, with and without a guest. */
function perCondition<Result>(response: (condition: ServerCondition) => Result): Result[] {
  return instanceStates.flatMap((state) => [response(condition(state, true)), response(condition(state, false))]);
}

/** Reads the table once for all states, so that a call costs an array access. */
export function createMoveWays({ hosts, instances }: ComputeSnapshot): MoveWays {
  const usual = perCondition(usualWay);
  const refused = Object.fromEntries(
    Object.keys(moveRules).map((way) => [way, perCondition((one) => moveRefusal(way as MoveWay, one) !== null)]),
  );
  const placeOf = (instance: number) =>
    2 * (instances.state[instance] as number) + (hasGuest(instances, instance) ? 0 : 1);
  return {
    usual: (instance) => usual[placeOf(instance)] ?? null,
    refusal(instance, way, host, sourceDown = false) {
      if (host < 0 || refused[way]?.[placeOf(instance)] !== false) return 'instance-state';
      const state = !sourceDown && isUp(hosts.flags[host] as number) ? 'up' : 'down';
      if (moveRules[way].sourceService === state) return null;
      return state === 'down' ? 'source-down' : 'source-up';
    },
  };
}

/** The facts that decide how Nova moves an instance, apart from a task, which the flag `busy` shows. */
export function conditionOf({ instances }: ComputeSnapshot, instance: number): ServerCondition {
  const state = instanceStates[instances.state[instance] as number] ?? 'error';
  return condition(state, hasGuest(instances, instance));
}
