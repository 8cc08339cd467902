import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { messageOf, OperatorError, printable } from '#libs/domain';
import { connectIdentityAdmin, OpenStackError, openStackConfigFromEnv } from '#libs/openstack';
import { createLogger, runProgram, systemClock } from '#libs/service-kit';
import { planRegistration, planRemoval, type Step } from './registration.ts';

/** Exit code of wrong usage. */
const misused = 2;

/** Sufficient for all operations of Vigil. It sends no service tokens, so it does not need the role `service`. */
const usualRoles = ['admin'];

interface SharedOptions {
  region: string;
  domain: string;
  dryRun?: boolean;
  json?: boolean;
}

interface RegisterOptions extends SharedOptions {
  publicUrl: string;
  internalUrl?: string;
  adminUrl?: string;
  serviceName: string;
  user: string | false;
  project: string;
  role: string[];
  passwordFile?: string;
}

/** `vigil keystone register|unregister`: registers Vigil in Keystone, with an administrator's login in `OS_*`. */
export function run(args: string[]): Promise<number> {
  const program = new Command('vigil keystone')
    .exitOverride()
    .description('Service, endpoints, user and roles in Keystone; with the login of an administrator in OS_*.');
  withShared(program.command('register').description('create them, or change differing ones; may be repeated'))
    .requiredOption('--public-url <url>', 'URL of the API for clients', readUrl)
    .option('--internal-url <url>', 'URL for the services of the cloud; default: the public one', readUrl)
    .option('--admin-url <url>', 'URL for administrators; default: the internal one', readUrl)
    .option('--service-name <name>', 'name of a new service', 'vigil')
    .option('--user <name>', 'user of the processes', 'vigil')
    .option('--no-user', 'do not change users and roles')
    .option('--project <name>', 'project of the user', 'service')
    .option('--role <name>', `role of the user there; repeatable (default: ${usualRoles.join(', ')})`, collectRoles)
    .option('--password-file <file>', 'file with the password of a new user')
    .action(register);
  withShared(program.command('unregister').description('delete them again'))
    .option('--user <name>', 'delete this user too')
    .action(unregister);
  return runProgram('keystone', program, args, {
    asOperatorError: (error) =>
      error instanceof OpenStackError ? new OperatorError(error.message, { cause: error, exitCode: 1 }) : error,
  });
}

async function register(options: RegisterOptions): Promise<void> {
  const internal = options.internalUrl ?? options.publicUrl;
  for (const url of new Set([options.publicUrl, internal, options.adminUrl ?? internal])) warnOfTrimming(url);
  const user =
    options.user === false
      ? null
      : {
          name: options.user,
          domain: options.domain,
          project: options.project,
          roles: options.role ?? usualRoles,
          password: options.passwordFile === undefined ? null : readPassword(options.passwordFile),
        };
  await withAdmin(options, (admin) =>
    planRegistration(admin, {
      serviceName: options.serviceName,
      region: options.region,
      urls: { public: options.publicUrl, internal, admin: options.adminUrl ?? internal },
      user,
    }),
  );
}

async function unregister({ user, ...options }: SharedOptions & { user?: string }): Promise<void> {
  await withAdmin(options, (admin) =>
    planRemoval(admin, { region: options.region, user: user ? { name: user, domain: options.domain } : null }),
  );
}

async function withAdmin(
  { dryRun, json }: SharedOptions,
  plan: (admin: ReturnType<typeof connectIdentityAdmin>['admin']) => Promise<Step[]>,
): Promise<void> {
  const logger = createLogger({ service: 'keystone', level: 'error', pretty: true });
  const { admin, close } = connectIdentityAdmin(openStackConfigFromEnv(process.env), { logger, clock: systemClock });
  try {
    const steps = await plan(admin);
    for (const { what, change } of steps) {
      if (!dryRun) await change?.();
      if (!json) print(`${change === null ? 'unchanged' : dryRun ? 'would' : 'done'}: ${what}`);
    }
    if (json)
      print(
        JSON.stringify({
          dryRun: dryRun === true,
          steps: steps.map(({ what, change }) => ({ what, changed: change !== null })),
        }),
      );
    else if (steps.length === 0) print('There is nothing to do.');
  } finally {
    await close();
  }
}

function withShared(command: Command): Command {
  return command
    .option('--region <name>', 'region of the endpoints', process.env.OS_REGION_NAME ?? 'RegionOne')
    .option('--domain <name>', 'domain of user and project, name or id', 'default')
    .option('--dry-run', 'only show the changes')
    .option('--json', 'print the result as JSON');
}

function collectRoles(role: string, before: string[] = []): string[] {
  return [...before, role];
}

function readUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('It must be an http URL.');
  return text.replace(/\/+$/, '');
}

/**
 * Warns of a URL that Watcher's client changes. The client cuts a version off by `url.rstrip('/').rstrip('/v1')`,
 * which removes each of these characters from the end, also those of a host, port or path.
 */
function warnOfTrimming(url: string): void {
  const used = url.replace(/[/v1]+$/, '');
  if (used === url.replace(/\/+v1$/, '')) return;
  process.stderr.write(`warning: python-watcherclient requests ${used} instead of ${url}: end it otherwise\n`);
}

function readPassword(path: string): string {
  try {
    const password = readFileSync(path, 'utf8').trim();
    if (password !== '') return password;
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${messageOf(error)}`, { cause: error, exitCode: misused });
  }
  throw new OperatorError(`${path} is empty`, { exitCode: misused });
}

function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}
