import type { Clock } from '#libs/domain';
import type { SimulatedProject } from '../cloud/entities.ts';
import type { ApplicationCredential, SimulatedUser } from './directory.ts';

/** The content of a token. */
export interface Token {
  id: string;
  auditId: string;
  methods: string[];
  user: SimulatedUser;
  /** Null when unscoped or system-scoped. */
  project: SimulatedProject | null;
  system: boolean;
  roles: string[];
  /** Absent for other logins. */
  applicationCredential?: ApplicationCredential;
  /** Milliseconds since 1970. */
  issuedAt: number;
  expiresAt: number;
}

export interface TokenStore {
  issue(token: Omit<Token, 'id' | 'auditId' | 'issuedAt' | 'expiresAt'>, latestExpiry?: number): Token;
  /** Undefined for an unknown, revoked or expired token. */
  find(id: string | undefined): Token | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  revoke(id: string): boolean;
  /** Revokes all tokens, as a change of the keys would. */
  revokeAll(): void;
}

/** @param newSecret returns unguessable text @param lifeSeconds lifetime of tokens */
export function createTokenStore(
  deps: { clock: Clock; newSecret: () => string },
  options: { lifeSeconds: number },
): TokenStore {
  const tokens = new Map<string, Token>();

  function dropExpired(now: number): void {
    for (const [id, token] of tokens) {
      if (token.expiresAt > now) return;
      tokens.delete(id);
    }
  }
  return {
    issue(content, latestExpiry) {
      const now = deps.clock.now();
      dropExpired(now);
      const expiresAt = Math.min(now + options.lifeSeconds * 1000, latestExpiry ?? Number.POSITIVE_INFINITY);
      const id = `gAAAAAB${deps.newSecret()}`;
      const token = { ...content, id, auditId: deps.newSecret().slice(0, 22), issuedAt: now, expiresAt };
      tokens.set(id, token);
      return token;
    },
    find(id) {
      const token = id === undefined ? undefined : tokens.get(id);
      if (token === undefined || token.expiresAt <= deps.clock.now()) return undefined;
      return token.applicationCredential?.isDeleted ? undefined : token;
    },
    now: () => deps.clock.now(),
    revoke: (id) => tokens.delete(id),
    revokeAll: () => tokens.clear(),
  };
}
