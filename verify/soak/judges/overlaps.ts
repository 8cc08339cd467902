import { type Effect, effectsOf } from '../effects.ts';
import { type Fault, type SoakRecord, timeOf } from '../record.ts';

interface Hold {
  plan: string;
  host: string;
  fromMs: number;
  toMs: number;
}

/**
 * Finds pairs of plans that changed one host at the same time: from the first request of a plan about a host to the end
 * of its last effect there, no other plan may change that host. One fault a pair.
 */
export function judgeOverlaps(record: SoakRecord): Fault[] {
  const pairs = new Map<string, [Hold, Hold][]>();
  for (const holds of holdsByHost(effectsOf(record)).values()) {
    for (const [place, one] of holds.entries()) {
      for (const other of holds.slice(place + 1)) {
        if (other.fromMs >= one.toMs || one.fromMs >= other.toMs) continue;
        const key = [one.plan, other.plan].sort().join(' ');
        pairs.set(key, [...(pairs.get(key) ?? []), [one, other]]);
      }
    }
  }
  return [...pairs.values()].map(faultOf);
}

function holdsByHost(effects: readonly Effect[]): Map<string, Hold[]> {
  const holds = new Map<string, Map<string, Hold>>();
  for (const { plan, hosts, fromMs, toMs, request, refusal } of effects) {
    if (refusal !== null || request.status === null || request.status >= 300) continue;
    for (const host of hosts) {
      const own = holds.get(host) ?? new Map<string, Hold>();
      const known = own.get(plan) ?? { plan, host, fromMs, toMs };
      own.set(plan, { plan, host, fromMs: Math.min(known.fromMs, fromMs), toMs: Math.max(known.toMs, toMs) });
      holds.set(host, own);
    }
  }
  return new Map([...holds].map(([host, own]) => [host, [...own.values()]]));
}

function faultOf(overlaps: [Hold, Hold][]): Fault {
  const [[one, other]] = overlaps as [[Hold, Hold]];
  const hosts = overlaps.map(([{ host }]) => host).join(', ');
  const span = ({ plan, fromMs, toMs }: Hold) => `${plan} ${timeOf(fromMs)} to ${timeOf(toMs)}`;
  return {
    atMs: Math.max(one.fromMs, other.fromMs),
    text: `two plans changed ${hosts} at the same time: ${span(one)}, ${span(other)}`,
    ids: [one.plan, other.plan],
    evidence: overlaps,
  };
}
