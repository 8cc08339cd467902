import { type Effect, effectsOf } from '../effects.ts';
import { changedMs, type Fault, type HostSample, type SoakRecord, stateOf, timeOf } from '../record.ts';

/** Time after the end of a plan within which its hosts must be enabled again, in milliseconds. */
export const enableLimitMs = 180_000;
/** The same at the end of the soak. */
export const enableLimitAtEndMs = 45_000;

const ended = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED']);

/**
 * Finds hosts that a plan disabled and did not empty, and that stay disabled after it has ended. A host that its plan
 * emptied stays disabled by order, as does a host that an operator disabled. One fault a plan and host.
 */
export function judgeDisabledHosts(record: SoakRecord): Fault[] {
  return lastDisables(record).flatMap(({ effect, host, untilMs }) => {
    const plan = record.plans.get(effect.plan);
    if (!plan || !ended.has(stateOf(plan))) return [];
    const endMs = changedMs(plan);
    const limitMs = Math.min(endMs + enableLimitMs, Math.max(record.endMs, endMs + enableLimitAtEndMs));
    if (untilMs < limitMs) return [];
    const left = leftWithServers(record.samples, host, limitMs, untilMs);
    if (left === null) return [];
    return [
      {
        atMs: left.atMs,
        text:
          `${host} is disabled with ${left.servers} servers at ${timeOf(left.atMs)}: plan ${plan.uuid} (${plan.strategy}) disabled it at ` +
          `${timeOf(effect.fromMs)} and ended ${stateOf(plan)} at ${timeOf(endMs)} (${plan.message ?? 'no message'})`,
        ids: [plan.uuid, effect.action],
        evidence: { plan, disabled: effect.request },
      },
    ];
  });
}

interface Disable {
  effect: Effect;
  host: string;
  /** When the service was set anew, by any user. The end of the soak when it was not. */
  untilMs: number;
}

/** Each disabling by a plan, until the next change of the same service. */
function lastDisables(record: SoakRecord): Disable[] {
  const changes = record.requests.filter(
    ({ method, path, status }) => method === 'PUT' && path.includes('/os-services/') && status !== null && status < 300,
  );
  return effectsOf(record).flatMap((effect) => {
    const { request, hosts } = effect;
    const [host] = hosts;
    if (host === undefined || !changes.includes(request) || request.body?.status !== 'disabled') return [];
    const next = changes.find(({ number, path }) => number > request.number && path === request.path);
    return [{ effect, host, untilMs: next?.at ?? record.endMs }];
  });
}

/** The first sample in which the host is disabled and in use. Null when there is none. */
function leftWithServers(
  samples: readonly HostSample[],
  host: string,
  fromMs: number,
  toMs: number,
): { atMs: number; servers: number } | null {
  const firstMs = Math.min(fromMs, samples.at(-1)?.atMs ?? fromMs);
  for (const { atMs, hosts } of samples) {
    if (atMs < firstMs || atMs > toMs) continue;
    const state = hosts.find(({ name }) => name === host);
    if (state?.status === 'disabled' && state.servers > 0) return { atMs, servers: state.servers };
  }
  return null;
}
