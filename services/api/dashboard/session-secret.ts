import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const idBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const cipher = 'aes-256-gcm';

/** A new session id, 256 random bits in base64url. Only the cookie holds it. */
export function newSessionId(): string {
  return randomBytes(idBytes).toString('base64url');
}

/** Key under which the session is stored. The database does not reveal the id. */
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

/** Decrypts a token of `sealToken`. Null when it belongs to another id or was tampered with. */
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
