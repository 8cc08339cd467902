import type { Command } from 'commander';
import { type Logger, OperatorError } from '#libs/domain';
import { createStore } from '#libs/store';
import { ask } from './reach-database.ts';

interface RestoredFlags {
  yes?: boolean;
  json?: boolean;
}

interface RestoredDeps {
  databaseUrl(): string;
  logger(): Logger;
}

const question =
  'All action plans and audits that are PENDING, ONGOING or CANCELLING become SUSPENDED, and clients of the change stream start over. Continue?';

/** `vigil db restored`: says what Vigil cannot notice by itself, such as files of a stopped server that were put back. */
export function addRestoredCommand(program: Command, deps: RestoredDeps): void {
  program
    .command('restored')
    .description('say that the database was restored from a backup: what was under way in it is held')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print the result as JSON; asks no question, so give --yes')
    .action(async ({ yes, json }: RestoredFlags) => {
      if (json && !yes) throw new OperatorError('--json asks no questions: give --yes with it', { exitCode: 2 });
      if (!yes && !(await ask(question))) {
        process.stdout.write('Nothing was changed.\n');
        return;
      }
      const store = await createStore({ url: deps.databaseUrl(), logger: deps.logger(), applicationName: 'vigil-db' });
      try {
        const { heldPlans, heldAudits } = await store.lineage.declareRestored();
        const held = `Held: ${heldPlans.length} action plans, ${heldAudits.length} audits.`;
        const listed = [
          ...heldPlans.map((uuid) => `  action plan ${uuid}`),
          ...heldAudits.map((uuid) => `  audit ${uuid}`),
        ];
        const text = [held, ...listed].join('\n');
        process.stdout.write(`${json ? JSON.stringify({ action_plans: heldPlans, audits: heldAudits }) : text}\n`);
      } finally {
        await store.close();
      }
    });
}
