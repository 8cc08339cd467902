import type { Neighbourhood } from '../moves/neighbourhood.ts';
import { tryReplace } from '../moves/replace.ts';
import { tryShift } from '../moves/shift.ts';
import { trySwapWithHost } from '../moves/swap.ts';
import type { Progress } from './anneal.ts';
import type { Best } from './best.ts';

const stepsPerBlock = 128;
const partners = 8;

/**
 * Anneals with at most `maxMoved` items off their homes. At the limit, a new move undoes an old one in the same step.
 * `from` and `to` are temperatures. Good up to some hundred moves, and best from the result of `steepest`.
 */
export function annealWithin(
  around: Neighbourhood,
  maxMoved: number,
  temperatures: { from: number; to: number },
  progress: Progress,
  best: Best,
): void {
  const { placement } = around;
  let block = 0;
  for (let part = progress(around.evaluations); part < 1; part = progress(around.evaluations)) {
    around.temperature = temperatures.from * (temperatures.to / temperatures.from) ** part;
    if (block % 16 === 0) around.listHot();
    for (let step = 0; step < stepsPerBlock; step += 1) propose(around, maxMoved);
    best.offer(placement.host, placement.objective());
    block += 1;
  }
}

function propose(around: Neighbourhood, maxMoved: number): void {
  const kind = around.random.below(8);
  const moved = around.movedItem();
  if (kind >= 4) proposeNew(around, moved, maxMoved, kind < 6);
  else if (moved >= 0) proposeOther(around, moved, maxMoved, kind);
}

/** Another place for an item off its home: any, one with a possible gain, home, or that of a partner. */
function proposeOther(around: Neighbourhood, moved: number, maxMoved: number, kind: number): void {
  const { placement, problem } = around;
  const threshold = around.threshold();
  if (kind === 0) tryShift(around, moved, around.anyHost(), threshold);
  else if (kind === 1) tryShift(around, moved, around.hotHost(), threshold);
  else if (kind === 2) tryShift(around, moved, problem.home[moved]!, threshold);
  // The partner may be at home: then a swap counts one move more.
  else if (placement.movedCount < maxMoved) trySwapWithHost(around, moved, around.anyHost(), partners, threshold);
}

/** A move of an item that may be at home. Without a move left `moved` goes home for it. */
function proposeNew(around: Neighbourhood, moved: number, maxMoved: number, fromHot: boolean): void {
  const { placement, problem } = around;
  const threshold = around.threshold();
  const item = fromHot ? around.residentOf(around.hotHost()) : around.anyItem();
  if (item < 0) return;
  const isFree = placement.movedCount < maxMoved || placement.host[item] !== problem.home[item];
  if (isFree) tryShift(around, item, around.anyHost(), threshold);
  else if (moved >= 0) tryReplace(around, moved, item, around.anyHost(), threshold);
}
