import { Command, Option } from 'commander';
import type { CliContext } from './cli-context.ts';
import { examples, usualTasks } from './command-examples.ts';
import { registerActionCommands } from './commands/action-commands.ts';
import { registerActionPlanCommands } from './commands/action-plan-commands.ts';
import { registerAuditCommands } from './commands/audit-commands.ts';
import { registerAuditLogCommand } from './commands/audit-log-command.ts';
import { registerAuditTemplateCommands } from './commands/audit-template-commands.ts';
import { registerCatalogueCommands } from './commands/catalogue-commands.ts';
import { registerClusterCommands } from './commands/cluster-commands.ts';
import { registerCompletionCommand } from './commands/completion-command.ts';
import { registerDataModelCommand } from './commands/data-model-command.ts';
import { registerDeadLetterCommands } from './commands/dead-letter-commands.ts';
import { registerForecastCommand } from './commands/forecast-command.ts';
import { registerNotificationDeliveryCommands } from './commands/notification-delivery-commands.ts';
import { registerNotificationTargetCommands } from './commands/notification-target-commands.ts';
import { registerPluginCommands } from './commands/plugin-commands.ts';
import { registerPromisesCommand } from './commands/promises-command.ts';
import { registerReportCommand } from './commands/report-command.ts';
import { registerRuleCommands } from './commands/rule-commands.ts';
import { registerServiceCommands } from './commands/service-commands.ts';
import { registerTaskCommands } from './commands/task-commands.ts';
import { registerWatchChangesCommand } from './commands/watch-changes-command.ts';
import { registerWhatIfCommands } from './commands/what-if-commands.ts';
import { exitCodes } from './exit-codes.ts';
import { manualPage } from './output/manual-page.ts';
import { processes, tools } from './process-words.ts';

const interfaces = ['public', 'internal', 'admin', 'publicURL', 'internalURL', 'adminURL'];

const lines = Object.entries(processes).map(([word, purpose]) => `  vigil ${word.padEnd(16)} ${purpose}`);

const processHelp = `Optimizes OpenStack clouds. To see it work: vigil demo. To run it:

${lines.join('\n')}

Tools, each with its own --help: vigil ${Object.keys(tools).join(', vigil ')}; vigil --version
`;

const clientHelp = `
The API is found through VIGIL_API_URL or --url, else through the Keystone
catalogue; the login comes from OS_AUTH_URL, OS_USERNAME, OS_PASSWORD,
OS_PROJECT_NAME and their companions, OS_TOKEN, or OS_APPLICATION_CREDENTIAL_*.
Without any of these a running vigil up or vigil demo is used, which is found
by its data folder (VIGIL_DATA_DIR, default .vigil).

Usual tasks:
${usualTasks.map(([purpose, line]) => `  ${purpose}\n    vigil ${line}`).join('\n')}

Exit codes:
${exitCodes.map(([code, meaning]) => `  ${code.padEnd(9)} ${meaning}`).join('\n')}

The manual has every command with examples: vigil manual | man -l -`;

/** The command line of the client: the verbs of `openstack optimize` and Vigil's own. */
export function createProgram(context: CliContext): Command {
  const program = new Command('vigil')
    .description('The commands below call a running Vigil.')
    .option('--url <url>', 'URL of the API (VIGIL_API_URL)')
    .option('--api-version <version>', 'microversion (OS_INFRA_OPTIM_API_VERSION), default 1.7')
    .option('--timeout <seconds>', 'time limit of a request, default 30')
    .option('--os-auth-url <url>', 'Keystone (OS_AUTH_URL)')
    .option('--os-username <name>', 'user (OS_USERNAME)')
    .option('--os-password <password>', 'password (OS_PASSWORD)')
    .option('--os-project-name <name>', 'project (OS_PROJECT_NAME)')
    .option('--os-user-domain-name <name>', 'domain of the user (OS_USER_DOMAIN_NAME)')
    .option('--os-project-domain-name <name>', 'domain of the project (OS_PROJECT_DOMAIN_NAME)')
    .option('--os-region-name <name>', 'region (OS_REGION_NAME)')
    .addOption(new Option('--os-interface <interface>', 'endpoint of the catalogue (OS_INTERFACE)').choices(interfaces))
    .option('--os-token <token>', 'token instead of user and password (OS_TOKEN)')
    .option('--os-cloud <name>', 'cloud in clouds.yaml with the login (OS_CLOUD)')
    .option('--os-cacert <file>', 'trusted certificate authorities, PEM (OS_CACERT)')
    .option('--insecure', 'skip the verification of certificates (OS_INSECURE)')
    .option('-v, --verbose', 'print each request on standard error')
    .option('-q, --quiet', 'suppress progress and hints')
    .option('--debug', 'print requests with their bodies, and the origin of an error')
    .addHelpText('before', processHelp)
    .addHelpText('after', clientHelp)
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.err, outputError: () => undefined });
  registerCatalogueCommands(program, context);
  registerDataModelCommand(program, context);
  registerAuditTemplateCommands(program, context);
  registerAuditCommands(program, context);
  registerActionPlanCommands(program, context);
  registerActionCommands(program, context);
  registerPluginCommands(program, context);
  registerWatchChangesCommand(program, context);
  registerServiceCommands(program, context);
  registerTaskCommands(program, context);
  registerAuditLogCommand(program, context);
  registerDeadLetterCommands(program, context);
  registerRuleCommands(program, context);
  const notification = program.command('notification').description('Notifications to chat, pagers and programs');
  registerNotificationTargetCommands(notification, context);
  registerNotificationDeliveryCommands(notification, context);
  registerForecastCommand(program, context);
  registerWhatIfCommands(program, context);
  registerClusterCommands(program, context);
  registerPromisesCommand(program, context);
  registerReportCommand(program, context);
  registerCompletionCommand(program, context);
  program
    .command('manual')
    .description('Print the manual page vigil(1), for man -l -')
    .action(() => context.out(manualPage(program)));
  for (const command of program.commands) {
    inherit(command, program);
    addExamples(command, command.name());
  }
  return program;
}

function addExamples(command: Command, path: string): void {
  const lines = examples[path]?.map((example) => `  vigil ${example}`);
  if (lines) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  for (const child of command.commands) addExamples(child, `${path} ${child.name()}`);
}

/** Commands made by `command()` copy these settings only when they are created afterwards. */
function inherit(command: Command, program: Command): void {
  command.copyInheritedSettings(program);
  for (const child of command.commands) inherit(child, program);
}
