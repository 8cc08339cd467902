import type { ComputeSnapshot } from '#libs/cluster-model';
import type { ClusterWhatIfRequest, ClusterWhatIfResponse } from '#libs/messaging';
import type { ReserveLeft, WhatIfResult } from '#libs/what-if';

const limits = { moves: 1000, hosts: 1000, names: 100 };

const rounded = (percent: number) => Math.round(percent * 10) / 10;

function reserveBody({ hosts, covered, notCovered, unknown, largest }: ReserveLeft) {
  return { hosts, covered, not_covered: notCovered.slice(0, limits.names), unknown, largest };
}

/** The response to a what-if question. Its lists are truncated. Its counts cover all entries. */
export function whatIfBody(
  question: Pick<ClusterWhatIfRequest, 'question'>,
  snapshot: Pick<ComputeSnapshot, 'takenAtMs'>,
  result: WhatIfResult,
): ClusterWhatIfResponse {
  const { verdict, text, because, number, moves, obstacles, reserve, hosts, notes } = result;
  const fullHost = (full: WhatIfResult['fullest'][number]['before']) =>
    full && { ...full, percent: rounded(full.percent) };
  return {
    question: question.question,
    model_taken_at: new Date(snapshot.takenAtMs).toISOString(),
    ...{ verdict, text, because, number, is_exact: result.isExact },
    moves_needed: moves.length,
    moves_memory: moves.reduce((sum, { memory }) => sum + memory, 0),
    moves: moves.slice(0, limits.moves),
    left: question.question === 'place' ? 0 : obstacles.length,
    obstacles: obstacles.slice(0, limits.moves),
    reserve: { before: reserveBody(reserve.before), after: reserve.after && reserveBody(reserve.after) },
    fullest: result.fullest.map(({ resource, before, after }) => ({
      resource: resource === 'dedicatedCpus' ? 'dedicated_cpus' : resource,
      before: fullHost(before),
      after: fullHost(after),
    })),
    places: result.places.map(({ isExact, ...places }) => ({ ...places, is_exact: isExact })),
    hosts: hosts.slice(0, limits.hosts),
    notes,
  };
}
