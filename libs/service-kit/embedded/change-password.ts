import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Logger } from '#libs/domain';
import { startGuardedServer } from './guarded-server.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { whenReady } from './when-ready.ts';

const wrongPassword = '28P01';

/**
 * Changes the superuser's password in a cluster without a running server. Starts a server on a socket that only this
 * process can reach, since others may know a former password.
 * @param former passwords, one of which is the current one. `to` may be the current one too
 * @throws Error when the server does not start, or none of the passwords is valid
 */
export async function changePassword(
  cluster: string,
  { former, to }: { former: readonly string[]; to: string },
  { binaries, logger }: { binaries: PostgresBinaries; logger: Logger },
): Promise<void> {
  const { postgres, account } = binaries;
  // The path of a socket has at most 107 characters.
  const folder = mkdtempSync(join(tmpdir(), 'vigil-'));
  try {
    if (account) chownSync(folder, account.uid, account.gid);
    const options = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`];
    const server = await startGuardedServer(postgres, ['-D', cluster, ...options], account);
    let errors = '';
    server.server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2000);
    });
    const ended = () => (server.server.exitCode === null ? null : errors.trim());
    const urlOf = (password: string) => `postgres://vigil:${password}@${encodeURIComponent(folder)}/postgres`;
    try {
      for (const password of [...former, to]) {
        if (await isRight(password)) return;
      }
      throw new Error('the password of its file is wrong');
    } finally {
      await server.stop();
    }

    async function isRight(password: string): Promise<boolean> {
      try {
        await whenReady({ url: urlOf(password), ended, refuses: isWrongPassword, logger }, async (client) => {
          await client.query(`ALTER ROLE vigil PASSWORD ${pg.escapeLiteral(to)}`);
        });
        return true;
      } catch (error) {
        if (isWrongPassword(error)) return false;
        throw error;
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === wrongPassword;
}
