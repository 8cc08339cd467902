import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf, OperatorError } from '#libs/domain';

/** Clients that make dumps. The first installed client is used. */
const programs = ['mariadb-dump', 'mysqldump'];
const limitMs = 600_000;
const mostBytes = 1024 ** 3;

/**
 * The dump of a MySQL or MariaDB database by its URL, made by its client in one transaction. It does not lock or
 * change the database. @throws OperatorError when no client is installed, or when the client fails or takes more than
 * ten minutes
 */
export async function dumpOfMysql(address: string): Promise<string> {
  const url = new URL(address);
  const database = decodeURIComponent(url.pathname.slice(1));
  const places = [`--host=${url.hostname}`, `--port=${url.port || 3306}`, '--protocol=tcp'];
  const args = [
    ...places,
    `--user=${decodeURIComponent(url.username)}`,
    '--single-transaction',
    '--skip-lock-tables',
    database,
  ];
  // Other users of the machine could see a password in the arguments.
  const env = { ...process.env, MYSQL_PWD: decodeURIComponent(url.password) };
  for (const program of programs) {
    try {
      return (await promisify(execFile)(program, args, { env, timeout: limitMs, maxBuffer: mostBytes })).stdout;
    } catch (error) {
      if (isAbsent(error)) continue;
      throw new OperatorError(`${program} could not read ${url.hostname}/${database}: ${wordsOf(error)}`, {
        exitCode: 1,
      });
    }
  }
  throw new OperatorError(
    `A MySQL server is read by its own client: install ${programs.join(' or ')}, or make a dump elsewhere and name its file`,
    { exitCode: 2 },
  );
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function wordsOf(error: unknown): string {
  const reported = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return reported === '' ? messageOf(error) : reported;
}
