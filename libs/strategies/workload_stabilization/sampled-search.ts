import type { RandomSource } from '#libs/domain';
import { bestMove, type Search } from './best-move.ts';
import type { Move } from './worth.ts';

/** Destinations to try for one instance on a host. */
export type DestinationChoice = (from: number) => readonly number[];

/** Returns one destination per call, in turn over all hosts except the source. */
export function cycleChoice(hosts: readonly number[]): DestinationChoice {
  let next = 0;
  return (from) => {
    for (let tried = 0; tried < hosts.length; tried++) {
      const host = hosts[next % hosts.length] as number;
      next++;
      if (host !== from) return [host];
    }
    return [];
  };
}

/** `count` distinct random destinations. Fewer when there are fewer hosts. */
export function retryChoice(hosts: readonly number[], count: number, random: RandomSource): DestinationChoice {
  return (from) => {
    const others = hosts.filter((host) => host !== from);
    const wanted = Math.min(Math.floor(count), others.length);
    for (let index = 0; index < wanted; index++) {
      const chosen = index + Math.floor(random() * (others.length - index));
      [others[index], others[chosen]] = [others[chosen] as number, others[index] as number];
    }
    return others.slice(0, wanted);
  };
}

/**
 * Moves of one pass over all hosts above the mean: each instance gets the destinations of `choose` and moves to the
 * best of them if it gains. The caller makes each move before it requests the next.
 */
export function* sampledPass(search: Search, choose: DestinationChoice): Generator<Move> {
  for (const from of [...search.table.byPressure()]) {
    for (const instance of search.candidates.on(from)) {
      if (search.table.pressure(from) <= 0) break;
      const only = { ...search.candidates, on: () => [instance] };
      const own: Search = { ...search, candidates: only };
      const move = bestMove(own, [from], choose(from));
      search.evaluated = own.evaluated;
      if (move !== null) yield move;
    }
  }
}
