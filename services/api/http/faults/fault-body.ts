import { STATUS_CODES } from 'node:http';

/** Body of every refusal: its only value is a *string* that holds JSON, because Watcher's clients parse it twice. */
export interface FaultBody {
  error_message: string;
}

/** Body of a fault raised by the API itself. */
export function apiFaultBody(status: number, faultstring: string): FaultBody {
  return {
    error_message: JSON.stringify({
      faultcode: status >= 500 ? 'Server' : 'Client',
      faultstring,
      debuginfo: null,
    }),
  };
}

/** Body of a refusal by routing or version negotiation (404, 405, 406). */
export function routingFaultBody(code: number, description: string): FaultBody {
  return { error_message: JSON.stringify({ code, title: STATUS_CODES[code] ?? '', description }) };
}

/** Body of the 401, which Keystone's middleware sends and which is not wrapped. */
export const unauthorizedBody = {
  error: {
    code: 401,
    title: 'Unauthorized',
    message: 'The request you have made requires authentication.',
  },
} as const;
