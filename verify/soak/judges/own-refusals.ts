import { type Effect, effectsOf } from '../effects.ts';
import { changedMs, type Fault, type Outage, type SoakRecord, stateOf, timeOf } from '../record.ts';

/** Refusals of the cloud: those that earlier plans of Vigil caused, and the number of all others. */
export interface Refusals {
  own: Fault[];
  others: number;
  /** Actions that Vigil failed without a request, on hosts that another plan had changed since their plan was made. */
  obstructed: number;
}

/**
 * Finds requests that the cloud refused because another plan had changed the same hosts or the same server since the
 * plan of the request was made. A refusal on a host that was down at that time has another cause.
 */
export function judgeRefusals(record: SoakRecord): Refusals {
  const effects = effectsOf(record);
  const refused = effects.filter(({ refusal }) => refusal !== null);
  const own = refused.flatMap((effect) => {
    const plan = record.plans.get(effect.plan);
    if (!plan || effect.hosts.some((host) => isDown(record.outages, host, plan.createdMs, effect.toMs))) return [];
    const causes = effects.filter((earlier) => isCause(earlier, effect, plan.createdMs));
    return causes.length > 0 ? [faultOf(effect, causes, plan.createdMs)] : [];
  });
  return { own, others: refused.length - own.length, obstructed: obstructedActions(record, effects) };
}

function obstructedActions({ actions, plans }: SoakRecord, effects: readonly Effect[]): number {
  const requesting = new Set(effects.map(({ action }) => action));
  return [...actions.values()].filter((action) => {
    const plan = plans.get(action.planUuid);
    if (!plan || stateOf(action) !== 'FAILED' || requesting.has(action.uuid)) return false;
    const hosts = [action.input.source_node, action.input.destination_node];
    return effects.some(
      (effect) =>
        effect.plan !== plan.uuid &&
        effect.toMs >= plan.createdMs &&
        effect.fromMs <= changedMs(action) &&
        effect.hosts.some((host) => hosts.includes(host)),
    );
  }).length;
}

function isDown(outages: readonly Outage[], host: string, fromMs: number, toMs: number): boolean {
  return outages.some((outage) => outage.host === host && outage.fromMs <= toMs && (outage.toMs ?? toMs) >= fromMs);
}

/** Whether another plan changed something that the refused request needed, after its plan was made. */
function isCause(earlier: Effect, refused: Effect, madeMs: number): boolean {
  if (earlier.plan === refused.plan || earlier.refusal !== null || earlier.request.status === null) return false;
  if (earlier.request.status >= 300 || earlier.fromMs > refused.toMs || earlier.toMs < madeMs) return false;
  const isSameServer = earlier.server !== null && earlier.server === refused.server;
  return isSameServer || earlier.hosts.some((host) => refused.hosts.includes(host));
}

function faultOf(effect: Effect, causes: readonly Effect[], madeMs: number): Fault {
  const plans = [...new Set(causes.map(({ plan }) => plan))];
  return {
    atMs: effect.toMs,
    text:
      `${timeOf(effect.toMs)} ${effect.what} of plan ${effect.plan} (made ${timeOf(madeMs)}) on ${effect.hosts.join(', ')} was ` +
      `refused (${effect.refusal}) after ${causes.length} changes of plan ${plans.join(', ')}`,
    ids: [effect.plan, effect.action, ...plans],
    evidence: { refused: effect, causes },
  };
}
