import { messageOf, type PlanGain, type RepeatedMoves } from '#libs/domain';
import type { MessageBus } from '../bus.ts';
import { planGain } from './audit-requests.ts';
import { callRpc } from './call-rpc.ts';
import { isRefusal } from './rpc-topic.ts';

/**
 * The gain of a plan on the newest model, or the reason why it is unknown. When it is unknown, `repeated` has its
 * moves.
 */
export interface KnownGain {
  gain: PlanGain | null;
  gainUnknownBecause: string | null;
  repeated: RepeatedMoves | null;
}

/** Requests a decision engine to evaluate a plan on the newest model. Waits up to its time limit. Never throws. */
export async function requestPlanGain(bus: Pick<MessageBus, 'request'> | null, planUuid: string): Promise<KnownGain> {
  if (bus === null) return unknown('no message bus');
  try {
    const response = await callRpc(bus, planGain, { plan_uuid: planUuid });
    if (isRefusal(response)) return unknown(response.error.message);
    const { left, promised, now, repeated } = response;
    if (repeated !== undefined) return { ...unknown('its strategy does not evaluate plans'), repeated };
    if (left === null) return unknown('its strategy does not evaluate plans');
    if (promised === undefined || now === undefined) return unknown('an older decision engine evaluated it');
    return { gain: { left, promised, now }, gainUnknownBecause: null, repeated: null };
  } catch (error) {
    return unknown(messageOf(error));
  }
}

function unknown(gainUnknownBecause: string): KnownGain {
  return { gain: null, gainUnknownBecause, repeated: null };
}
