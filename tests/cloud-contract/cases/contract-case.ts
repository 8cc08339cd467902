import type { ContractService } from '../expected-shapes.ts';

/**
 * One request for both clouds. `{name}` in its path and body is replaced by an identifier of the participants
 * (`createParticipants`).
 */
export interface ContractCase {
  service: ContractService;
  /** Default GET. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the endpoint of the service, with its query. */
  path: string;
  microversion?: string;
  body?: unknown;
  /** Replaces the token of the credentials. */
  token?: string;
  headers?: Record<string, string>;
  /** Move whose end belongs to the outcome: name of the participating server that the request moves. */
  moves?: string;
}

/** The comparable part of a response, and the effect of a move. */
export interface CaseOutcome {
  status: number;
  /** Refusals: the body with placeholders. Otherwise the outline of the body. */
  body: unknown;
  /** Of moves that were accepted: the states when they have ended. */
  effect?: { status: string; hasMoved: boolean; record: string | null };
}

/** The title of a case, and its key in `recorded-outcomes.json`. */
export function titleOf({ service, method = 'GET', path, microversion, body, token, headers }: ContractCase): string {
  const parts = [service, microversion, method, path];
  if (body !== undefined) parts.push(JSON.stringify(body));
  if (headers !== undefined) parts.push(JSON.stringify(headers));
  if (token !== undefined) parts.push(`token ${token}`);
  return parts.filter((part) => part !== undefined).join(' ');
}
