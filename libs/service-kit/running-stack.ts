import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf, OperatorError } from '#libs/domain';
import { findOtherWriter } from './own-folder.ts';
import { startOfProcess } from './processes.ts';

type Variables = Record<string, string>;

/** The description of a running `vigil up` on this machine. */
export interface RunningStack {
  pid: number;
  /** Its data folder, without symbolic links. */
  dataDir: string;
  /** Configuration keys and cloud variables of its processes: database, bus, cloud, API. */
  env: Variables;
  /** Variables with other values for users: the credentials of their sign-in. */
  operatorEnv: Variables;
}

const fileName = 'running.json';
/** Subfolder of the data folder for the stack of `vigil demo`. */
const demoFolder = 'demo';
const defaultDataDir = '.vigil';

/**
 * Publishes the addresses of this process for other commands, in a file that only its owner can read.
 * @param dataDir a folder of `ownFolder`.
 * @returns a function that removes it.
 */
export function announceStack(
  dataDir: string,
  { env, operatorEnv = {} }: { env: NodeJS.ProcessEnv; operatorEnv?: Variables },
): () => void {
  const path = join(dataDir, fileName);
  const own = Object.entries(env).filter(([key, value]) => /^(VIGIL|OS)_/.test(key) && value !== undefined);
  const reported = {
    pid: process.pid,
    startedAs: startOfProcess(process.pid),
    env: Object.fromEntries(own),
    operatorEnv,
  };
  const partial = `${path}.${process.pid}`;
  try {
    rmSync(partial, { force: true });
    writeFileSync(partial, JSON.stringify(reported), { mode: 0o600, flag: 'wx' });
    renameSync(partial, path);
  } catch (error) {
    throw new OperatorError(`cannot write ${path}: ${messageOf(error)}`, { cause: error });
  }
  return () => rmSync(path, { force: true });
}

/**
 * The `vigil up` or `vigil demo` that uses the data folder of this environment (`VIGIL_DATA_DIR`). Null when none
 * runs.
 * @throws OperatorError when another user could have written the file
 */
export function findRunningStack(environment: NodeJS.ProcessEnv): RunningStack | null {
  const dataDir = dataDirOf(environment);
  return readStack(dataDir) ?? readStack(join(dataDir, demoFolder));
}

/**
 * The environment for a command on the machine of a running `vigil up`. Without a configured database, values of the
 * running stack replace unset variables. A configured cloud is kept, with all its variables.
 * @param report receives one line about it.
 */
export function withRunningStack(
  environment: NodeJS.ProcessEnv,
  report: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): NodeJS.ProcessEnv {
  if (environment.VIGIL_DATABASE_URL || environment.VIGIL_DATABASE_URL_FILE) return environment;
  const stack = findRunningStack(environment);
  if (stack === null) return environment;
  report(describeStack(stack));
  const isOwnCloud = Boolean(environment.OS_AUTH_URL);
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const taken = Object.entries(stack.env).filter(([key]) => !(isOwnCloud && key.startsWith('OS_')));
  return { ...Object.fromEntries(taken), ...Object.fromEntries(given) };
}

/** One line that names the used parts of a running stack, without passwords. */
export function describeStack({ pid, dataDir, env }: RunningStack): string {
  const database = (env.VIGIL_DATABASE_URL ?? '').replace(/^[a-z]+:\/\/(?:[^/?#]*@)?/, '').replace(/\?.*$/s, '');
  return `using the running Vigil (pid ${pid}) in ${dataDir}: API ${env.VIGIL_API_URL ?? '-'}, database ${database}, cloud ${env.OS_AUTH_URL ?? '-'}`;
}

/** The data folder of `vigil up` in this environment. */
export function dataDirOf({ VIGIL_DATA_DIR }: NodeJS.ProcessEnv): string {
  return resolve(VIGIL_DATA_DIR || defaultDataDir);
}

function readStack(folder: string): RunningStack | null {
  const path = join(folder, fileName);
  const text = readOwnFile(path);
  if (text === null) return null;
  const { pid, startedAs, env, operatorEnv } = parse(path, text);
  // A file of a killed process, or with a pid that another process has now.
  if (startedAs === null || startOfProcess(pid) !== startedAs) return null;
  return { pid, dataDir: realpathSync(folder), env, operatorEnv };
}

/** Checks the opened file instead of its path, which may point to another file later. */
function readOwnFile(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw refusal(path, code === 'ELOOP' ? 'is a symbolic link' : `cannot be read (${messageOf(error)})`);
  }
  try {
    const { uid, mode } = fstatSync(file);
    const user = process.getuid?.();
    if (user !== undefined && uid !== user) throw refusal(path, `belongs to uid ${uid}`);
    if ((mode & 0o077) !== 0) throw refusal(path, 'can be read or written by other users');
    const problem = findOtherWriter(realpathSync(join(path, '..')));
    if (problem !== null) throw new OperatorError(`${problem}: ${path} is not used; set VIGIL_DATABASE_URL and OS_*`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function refusal(path: string, problem: string): OperatorError {
  return new OperatorError(
    `${path} ${problem} and is not used: run this as the user who runs vigil up, or set VIGIL_DATABASE_URL, OS_* and VIGIL_API_URL`,
  );
}

function parse(
  path: string,
  text: string,
): { pid: number; startedAs: string | null; env: Variables; operatorEnv: Variables } {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`${path} is damaged (${messageOf(error)}): remove it`, { cause: error });
  }
}
