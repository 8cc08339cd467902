import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { AuditView, Store } from '#libs/store';
import { findEntity } from '../collections/find-entity.ts';

/** Prefix by which users and secret scanners recognize tokens. */
const prefix = 'vigil_alert_';
const tokenBytes = 32;
const bearer = /^Bearer +([\x21-\x7e]{1,200})$/i;
/** Compared when there is no valid token, so that a refusal takes as long. No token has this digest. */
const noHash = Buffer.alloc(32);
/** No row has this id. */
const noId = 0;

/** Makes a random token (256 bits), and the digest that is stored in its place. */
export function newAlertToken(): { token: string; tokenHash: string } {
  const token = `${prefix}${randomBytes(tokenBytes).toString('base64url')}`;
  return { token, tokenHash: digestOf(token).toString('hex') };
}

/**
 * The EVENT audit that a request names, when its bearer token is the valid one of that audit. Else null, without a
 * difference between an unknown audit and a wrong token.
 */
export async function auditOfToken(
  { db }: Pick<Store, 'db'>,
  request: FastifyRequest,
  ident: string,
): Promise<AuditView | null> {
  const token = bearer.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return null;
  const audit = await findEntity(db.audits, ident);
  const receiver = await db.alertReceivers.find(audit?.id ?? noId);
  const isValid = receiver !== null && receiver.revokedAt === null;
  const isSame = timingSafeEqual(digestOf(token), isValid ? Buffer.from(receiver.tokenHash, 'hex') : noHash);
  return isSame && isValid && audit?.auditType === 'EVENT' ? audit : null;
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
