import { InvalidInputError, type Logger, messageOf, VigilError } from '#libs/domain';
import {
  type CallOptions,
  callRpc,
  isRefusal,
  type MessageBus,
  type RpcErrorCode,
  type RpcTopic,
} from '#libs/messaging';
import { ApiFault, badRequest, EngineUnavailableError } from './faults/fault.ts';

/** Requests, and the notice that a client has left. Without `broadcast` the engine works to its time limit. */
export type EngineBus = Pick<MessageBus, 'request'> & Partial<Pick<MessageBus, 'broadcast'>>;

interface EngineDeps {
  /** Null: this process has no bus. */
  bus: EngineBus | null;
  logger: Logger;
}

/**
 * Response to a refusal of the decision engine. Default: 400 with the engine's message. `no_answer` is for an engine
 * that does not respond. Default: 500, as Watcher.
 */
export type RefusalFaults = Partial<Record<RpcErrorCode | 'no_answer', (message: string) => VigilError>>;

/** For extensions of Vigil: 503 when no decision engine responds, so that clients retry. */
export const unavailableWithoutEngine: RefusalFaults = {
  no_answer: (message) => new EngineUnavailableError(message),
};

const commonFaults: RefusalFaults = {
  // Watcher's engine returns an error for requests that it cannot serve, and its API passes that on as 500.
  model_not_available: (message) => new ApiFault(500, `The cluster data model is not available: ${message}`),
  strategy_failed: (message) => new ApiFault(500, `The strategy failed: ${message}`),
};

/**
 * Calls the decision engine.
 * @throws InvalidInputError when the bus cannot carry a text, the reason of `options.cancel.signal` when it fires, and
 * ApiFault 500 (as Watcher) when the engine fails or does not respond. `faults` overrides the fault for each refusal
 * code and for a missing response.
 */
export async function callEngine<Request extends object, Result extends object>(
  deps: EngineDeps,
  topic: RpcTopic<Request, Result>,
  request: Request,
  faults: RefusalFaults = {},
  options: CallOptions = {},
): Promise<Result> {
  const silence = faults.no_answer ?? ((message) => new ApiFault(500, message));
  const response = await callBus(deps, topic, request, { silence, options });
  if (!isRefusal(response)) return response;
  const { code, message } = response.error;
  const make = faults[code] ?? commonFaults[code] ?? badRequest;
  throw make(message);
}

async function callBus<Request extends object, Result extends object>(
  deps: EngineDeps,
  topic: RpcTopic<Request, Result>,
  request: Request,
  { silence, options }: { silence: (message: string) => VigilError; options: CallOptions },
) {
  try {
    if (deps.bus === null) throw new Error('this process has no message bus');
    return await callRpc(deps.bus, topic, request, options);
  } catch (error) {
    options.cancel?.signal.throwIfAborted();
    if (error instanceof InvalidInputError) throw error;
    const code = error instanceof VigilError ? error.code : null;
    deps.logger.warn({ topic: topic.topic, code, error: messageOf(error) }, 'no response from decision engine');
    throw silence(silenceText(topic.topic, code));
  }
}

function silenceText(topic: string, code: string | null): string {
  return code === 'no_responder'
    ? `No decision engine is available (${topic}); GET /v1/services lists the running ones`
    : `Timed out waiting for a reply of the decision engine (${topic})`;
}
