import { InvalidInputError, messageOf } from '#libs/domain';
import type { RpcErrorCode, RpcRefusal } from '#libs/messaging';

/** A refusal in the form that the asker maps. */
export function refuse(code: RpcErrorCode, reason: unknown): RpcRefusal {
  return { error: { code, message: messageOf(reason) } };
}

/** What a failure while a question is worked on means: bad input is told from what else went wrong. */
export function refuseBecause(error: unknown, otherwise: RpcErrorCode): RpcRefusal {
  return refuse(error instanceof InvalidInputError ? 'invalid_input' : otherwise, error);
}
