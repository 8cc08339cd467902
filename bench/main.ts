import { reportEnd } from './arguments.ts';
import { benches } from './benches.ts';

async function main([name, ...args]: string[]): Promise<void> {
  const load = name === undefined ? undefined : benches[name];
  if (load === undefined) {
    const isHelp = name === '--help';
    const output = isHelp ? process.stdout : process.stderr;
    output.write(`usage: npm run bench -- <${Object.keys(benches).join('|')}> [options] [--json]\n`);
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  try {
    const bench = await load();
    await bench(args);
  } catch (error) {
    reportEnd(`bench ${name}`, error);
  }
}

await main(process.argv.slice(2));
