import { randomWorld } from '#libs/random-worlds';
import { type Fault, type FaultKind, faultKinds, judgeAudit } from './judge-audit.ts';
import { variantsOf } from './variants.ts';

/** Task of the judge. */
export interface WorldsTask {
  worlds: number;
  /** Seed of the first world. Later worlds have the next seeds. */
  seed: number;
  /** Most orders of each plan to play. */
  orders: number;
  /** Most hosts of a world. At least 8. */
  hosts: number;
  /** Judges each world with every nth strategy and set of parameters, in turn. 1 for all. */
  every: number;
  onFault?(fault: Fault): void;
}

/** Result of judging. */
export interface WorldsVerdict {
  worlds: number;
  audits: number;
  actions: number;
  /** Instance moves played, in all orders together. */
  moves: number;
  faults: Record<FaultKind, number>;
  seconds: number;
}

/** Runs every strategy on random worlds and judges all plans. */
export async function judgeWorlds({ worlds, seed, orders, hosts, every, onFault }: WorldsTask): Promise<WorldsVerdict> {
  const started = performance.now();
  const faults = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  const verdict = { worlds, audits: 0, actions: 0, moves: 0, faults, seconds: 0 };
  for (let next = seed; next < seed + worlds; next++) {
    const world = randomWorld(next, hosts);
    const variants = variantsOf(world).filter((_, row) => (row + next) % every === 0);
    for (const variant of variants) {
      const found = await judgeAudit(world, variant, orders);
      verdict.audits += 1;
      verdict.actions += found.actions;
      verdict.moves += found.moves;
      for (const fault of found.faults) {
        faults[fault.kind] += 1;
        onFault?.(fault);
      }
    }
  }
  return { ...verdict, seconds: Math.round((performance.now() - started) / 100) / 10 };
}
