import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import { InvalidInputError, nearestHint, OperatorError, printable } from '#libs/domain';
import { runProgram, withRunningStack } from '#libs/service-kit';
import { parseEnv } from '#libs/service-kit/env';
import { defaultRules } from '../auth/default-rules.ts';
import { createPolicy, type Policy } from '../auth/policy.ts';
import { readPolicy } from '../auth/policy-file.ts';
import { apiEnv } from '../env.ts';
import { anonymousCaller, type CallerIdentity } from '../http/request/request-context.ts';
import { routesOfRule } from '../route-rules.ts';

/** A rule as `vigil policy list` shows it. */
interface ShownRule {
  rule: string;
  check: string;
  default: string | null;
  /** Whether the file differs from the default. */
  overridden: boolean;
  /** For the roles that were given. Null when none were. */
  allowed: boolean | null;
  operations: string[];
}

interface PolicyOptions {
  file?: string;
  json?: boolean;
}

interface CallerOptions {
  role?: string[];
  systemScope?: string;
}

const denied = 1;

/**
 * `vigil policy sample|list|check`: the rules with their defaults, and a role's permissions under them and
 * `VIGIL_POLICY_FILE`.
 * @returns the exit code: 0, 1 when `check` finds that the rule denies, 2 for wrong usage and an invalid file.
 */
export function run(args: string[]): Promise<number> {
  let exitCode = 0;
  const program = createProgram((code) => {
    exitCode = code;
  });
  return runProgram('policy', program, args, {
    exitCode: () => exitCode,
    asOperatorError: (error) =>
      error instanceof InvalidInputError ? new OperatorError(error.message, { exitCode: 2 }) : error,
  });
}

function createProgram(end: (exitCode: number) => void): Command {
  // Before the commands, which inherit it.
  const program = new Command('vigil policy')
    .exitOverride()
    .description('Authorization rules of the API, in the format of oslo.policy.');
  program
    .command('sample')
    .description('print a policy file with all rules, their defaults as comments')
    .option('--json', 'print the defaults as a JSON object')
    .action(({ json }: PolicyOptions) => void process.stdout.write(json ? jsonOf(defaultRules) : sampleText()));
  withCaller(
    program.command('list').description('print every rule in force, and the permissions of the given roles'),
  ).action(async (options: PolicyOptions & CallerOptions) => {
    const rules = await readRules(options);
    process.stdout.write(options.json ? jsonOf(rules) : tableOf(rules));
  });
  withCaller(
    program
      .command('check')
      .description('say whether a rule allows the given roles; without a rule, whether the file can be used'),
  )
    .argument('[rule]', 'such as audit:create')
    .action(async (rule: string | undefined, options: PolicyOptions & CallerOptions) => {
      const { policy, path } = await loadPolicy(options);
      if (rule === undefined)
        return print(options, { file: path, usable: true }, `${path ?? 'the default policy'} can be used`);
      requireRule(rule);
      const allowed = policy.allows(rule, callerOf(options));
      if (!allowed) end(denied);
      print(options, { rule, allowed }, allowed ? 'allowed' : 'denied');
    });
  return program;
}

function withCaller(command: Command): Command {
  return command
    .option('--role <name...>', 'roles of the caller')
    .addOption(new Option('--system-scope <scope>', 'of a system-scoped token').choices(['all']))
    .option('--file <path>', 'policy file; default VIGIL_POLICY_FILE, else the defaults')
    .option('--json', 'print JSON');
}

async function loadPolicy(
  options: PolicyOptions,
): Promise<{ policy: Policy; overrides: Record<string, string>; path: string | null }> {
  const path = options.file ?? configuredFile();
  if (path === null) return { policy: createPolicy(), overrides: {}, path };
  const { policy, overrides } = await readPolicy(path);
  return { policy, overrides, path };
}

/** The file that the API uses. Null when it has none, or the file may be missing and is. */
function configuredFile(): string | null {
  const { VIGIL_POLICY_FILE, VIGIL_POLICY_FILE_REQUIRED } = apiEnv;
  const env = parseEnv({ VIGIL_POLICY_FILE, VIGIL_POLICY_FILE_REQUIRED }, withRunningStack(process.env));
  const path = env.VIGIL_POLICY_FILE ?? null;
  return path === null || env.VIGIL_POLICY_FILE_REQUIRED || existsSync(path) ? path : null;
}

async function readRules(options: PolicyOptions & CallerOptions): Promise<ShownRule[]> {
  const { policy, overrides } = await loadPolicy(options);
  const caller = options.role === undefined && options.systemScope === undefined ? null : callerOf(options);
  return Object.entries({ ...defaultRules, ...overrides }).map(([rule, check]) => ({
    rule,
    check,
    default: defaultRules[rule] ?? null,
    overridden: check !== defaultRules[rule],
    allowed: caller && policy.allows(rule, caller),
    operations: routesOfRule(rule),
  }));
}

function callerOf({ role = [], systemScope }: CallerOptions): CallerIdentity {
  return { ...anonymousCaller, roles: role, systemScope };
}

function requireRule(rule: string): void {
  if (Object.hasOwn(defaultRules, rule)) return;
  throw new InvalidInputError(rule, `is not a rule${nearestHint(rule, Object.keys(defaultRules))}`);
}

function print({ json }: PolicyOptions, value: object, text: string): void {
  process.stdout.write(json ? jsonOf(value) : `${printable(text)}\n`);
}

const jsonOf = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

function sampleText(): string {
  const parts = Object.entries(defaultRules).map(([rule, check]) => {
    const operations = routesOfRule(rule).map((route) => `# ${route}\n`);
    return `${operations.join('')}#"${rule}": "${check}"\n`;
  });
  return `# Rules of VIGIL_POLICY_FILE. Rules that are missing or commented out have these defaults.\n\n${parts.join('\n')}`;
}

function tableOf(rules: readonly ShownRule[]): string {
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  const lines = rules.map(({ rule, check, overridden, allowed }) => {
    const verdict = allowed === null ? '' : allowed ? 'allowed  ' : 'denied   ';
    return printable(`${rule.padEnd(width)}  ${verdict}${check}${overridden ? '  (changed)' : ''}`);
  });
  return `${lines.join('\n')}\n`;
}
