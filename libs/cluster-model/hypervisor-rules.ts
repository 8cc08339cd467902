import type { MoveWay } from '#libs/domain';
import type { ComputeSnapshot, HypervisorInfo } from './compute-snapshot.ts';
import type { ConstraintName } from './what-if.ts';

/** Whether hypervisor and CPU of a host accept an instance of another host. */
export type HypervisorRules = (from: number, to: number, way: MoveWay) => ConstraintName | null;

function differ<Value>(one: Value | undefined, other: Value | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** The rule for every kind of move: a guest runs only on its kind of hypervisor and CPU. */
function kindRefusal(from: HypervisorInfo, to: HypervisorInfo): ConstraintName | null {
  if (differ(from.type, to.type)) return 'hypervisor-type';
  return differ(from.architecture, to.architecture) ? 'cpu-architecture' : null;
}

/** Nova's conductor refuses older versions, and hypervisor CPUs without a feature of the guest's first CPU. */
function liveRefusal(from: HypervisorInfo, to: HypervisorInfo): ConstraintName | null {
  if (from.version !== undefined && to.version !== undefined && from.version > to.version) return 'hypervisor-version';
  return differ(from.cpuModel, to.cpuModel) ? 'cpu-model' : null;
}

/**
 * Judges each pair of kinds once, so that a call costs array accesses. Properties that Nova does not report refuse
 * nothing.
 */
export function createHypervisorRules({ hostInfo }: ComputeSnapshot): HypervisorRules {
  const kinds: HypervisorInfo[] = [];
  const known = new Map<string, number>();
  const kindOf = Int32Array.from(hostInfo, ({ hypervisor = {} }) => {
    const { type, version, architecture, cpuModel } = hypervisor;
    const key = JSON.stringify([type, version, architecture, cpuModel]);
    const kind = known.get(key) ?? kinds.push(hypervisor) - 1;
    known.set(key, kind);
    return kind;
  });
  if (kinds.length < 2) return () => null;
  const verdicts = kinds.map((from) =>
    kinds.map((to) => {
      const kind = kindRefusal(from, to);
      return { live: kind ?? liveRefusal(from, to), other: kind };
    }),
  );
  return (from, to, way) => {
    const verdict = verdicts[kindOf[from] as number]?.[kindOf[to] as number];
    return (way === 'live' ? verdict?.live : verdict?.other) ?? null;
  };
}
