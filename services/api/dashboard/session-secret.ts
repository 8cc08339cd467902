import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const idBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const cipher = 'aes-256-gcm';

/** A new session id, 256 random bits in base64url. It goes into the cookie and is kept nowhere. */
export function newSessionId(): string {
  return randomBytes(idBytes).toString('base64url');
}

/** Key under which the session is stored: nobody who reads the database learns the id. */
export function hashOfSession(id: string): string {
  return createHash('sha256').update(`vigil session ${id}`).digest('base64url');
}

/** Encrypts a Keystone token with a key that only the bearer of the cookie has. */
export function sealToken(id: string, token: string): string {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, keyOf(id), nonce);
  const text = Buffer.concat([sealing.update(token, 'utf8'), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), text]).toString('base64url');
}

/** The token that `sealToken` sealed. Null when it was made with another id or tampered with. */
export function openToken(id: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  const opening = createDecipheriv(cipher, keyOf(id), bytes.subarray(0, nonceBytes));
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function keyOf(id: string): Buffer {
  return Buffer.from(hkdfSync('sha256', id, 'vigil', 'dashboard token', 32));
}
