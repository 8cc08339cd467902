import pg from 'pg';
import {
  CannotExecuteNotConnectedError,
  CannotGetEntityManagerNotConnectedError,
  ConnectionIsNotSetError,
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
} from 'typeorm';
import { AlreadyExistsError, InvalidInputError, messageOf, VigilError } from '#libs/domain';
import { StoreUnavailableError } from '../errors.ts';

interface DatabaseFault {
  code?: string;
  constraint?: string;
  detail?: string;
  table?: string;
  column?: string;
}

const entityNames: Record<string, string> = {
  goals: 'Goal',
  strategies: 'Strategy',
  audit_templates: 'AuditTemplate',
  audits: 'Audit',
  action_plans: 'ActionPlan',
  actions: 'Action',
  efficacy_indicators: 'EfficacyIndicator',
  scoring_engines: 'ScoringEngine',
  placement_rules: 'PlacementRule',
  services: 'Service',
  outbox: 'Message',
};

const socketCodes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'];

/** Errors of the ORM for a closed connection, or for one lost between two statements of a transaction. */
const lostByOrm = [
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  TransactionNotStartedError,
  CannotExecuteNotConnectedError,
  CannotGetEntityManagerNotConnectedError,
  ConnectionIsNotSetError,
];

/** Plain errors of the driver for a connection that is closed or cannot be established. */
const lostByDriver =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|is not queryable|Query read timeout|Cannot use a pool after/i;

/** SQLSTATEs under which the same call may work later: shutdown, no connection left, read-only standby,
 * time limits, victims of deadlocks. */
const passingStates = /^(08|53|57P|57014|55P03|25006|25P03|40)/;

/** The part of a thrown value that PostgreSQL or the socket filled in. */
export function faultOf(error: unknown): DatabaseFault {
  if (error instanceof AggregateError) return faultOf(error.errors[0]);
  if (typeof error !== 'object' || error === null) return {};
  if ('driverError' in error && typeof error.driverError === 'object' && error.driverError !== null) {
    return error.driverError;
  }
  return error;
}

/** Translates errors of the driver into those of the contract. Returns unknown errors unchanged. */
export function translateError(error: unknown): unknown {
  if (error instanceof VigilError) return error;
  const fault = faultOf(error);
  const code = fault.code ?? '';
  if (code === '23505') {
    const ident = /\)=\((.*)\)/.exec(fault.detail ?? '')?.[1] ?? fault.constraint ?? '';
    return new AlreadyExistsError(entityNames[fault.table ?? ''] ?? fault.table ?? 'row', ident, { cause: error });
  }
  if (code === '23503') {
    const field = fault.constraint?.replace(`fk_${fault.table}_`, '') ?? 'reference';
    return new InvalidInputError(field, 'refers to a row that does not exist', { cause: error });
  }
  if (code === '23502') return new InvalidInputError(fault.column ?? 'column', 'must not be null', { cause: error });
  if (/^22/.test(code)) return new InvalidInputError('value', messageOf(error), { cause: error });
  if (passingStates.test(code) || socketCodes.includes(code) || isLostConnection(error)) {
    return new StoreUnavailableError(messageOf(error), { cause: error });
  }
  return error;
}

function isLostConnection(error: unknown): boolean {
  if (lostByOrm.some((kind) => error instanceof kind)) return true;
  // A statement that failed without a response of the server lost its connection, unless the caller made an error.
  if (error instanceof QueryFailedError) {
    const cause: unknown = error.driverError;
    return !(cause instanceof pg.DatabaseError || cause instanceof TypeError);
  }
  return lostByDriver.test(messageOf(error));
}
