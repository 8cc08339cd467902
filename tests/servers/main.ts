import { once } from 'node:events';
import { messageOf } from '#libs/domain';
import { createConsoleLogger } from './console-logger.ts';
import { serversToStart } from './servers-to-start.ts';
import { startTestServers } from './start-test-servers.ts';
import { testServerNames } from './test-server.ts';

/**
 * Keeps the test servers up until it is interrupted and prints the lines that let other shells use them:
 * `npm run --silent test:servers > servers.env &` and then `. ./servers.env`.
 */
async function main(): Promise<void> {
  const servers = await startTestServers(serversToStart(testServerNames, process.env), createConsoleLogger());
  for (const [name, url] of Object.entries(servers.variables)) process.stdout.write(`export ${name}='${url}'\n`);
  const alive = setInterval(() => undefined, 60_000);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  clearInterval(alive);
  await servers.stop();
}

main().catch((error) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
