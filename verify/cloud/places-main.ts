import { createVigilClient } from '#libs/client';
import { messageOf, silentLogger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { benchArguments } from '../../bench/arguments.ts';
import { createRawHttp } from '../../tests/cloud-contract/raw-http.ts';
import { lineOf, measurePlaces } from './measure-places.ts';

const help = `npm run cloud-places -- [--most N] [--flavors N] [--json]

Compares the number of vigil whatif place with the servers that the cloud of OS_* boots until it refuses: several
flavors, in each zone and without one. For a cloud without other users. Deletes its servers and flavors.

--most N      servers of one flavor at most; others are left out (60)
--flavors N   flavors, 1 to 4 (3)
--json        one JSON document on standard output

Exit code 1 when a number differs, 2 when the run could not take place or measured nothing.
`;

const onProgress = (line: string) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

async function main(args: string[]): Promise<void> {
  const { json, numbers } = benchArguments(args, { most: 60, flavors: 3 });
  const config = openStackConfigFromEnv(process.env);
  const cloud = createOpenStackCloud(config, { logger: silentLogger, clock: { now: Date.now } });
  try {
    const url = process.env.VIGIL_API_URL ?? (await cloud.identity.endpoint('infra-optim'));
    if (url === null) throw new Error('the catalogue has no infra-optim, and VIGIL_API_URL is not set');
    const client = createVigilClient({ url, tokenProvider: () => cloud.identity.token() });
    const target = { cloud, raw: createRawHttp(cloud, config.authUrl), onProgress };
    const places = await measurePlaces(target, client, numbers);
    const measured = places.filter(({ skipped }) => skipped === null);
    if (measured.length === 0) throw new Error('no flavor was measured; try more with --most');
    const different = measured.filter(({ predicted, booted }) => predicted !== booted);
    if (different.length > 0) process.exitCode = 1;
    const lines = [...places.map(lineOf), `${measured.length} measured, ${different.length} different`];
    process.stdout.write(json ? `${JSON.stringify({ ...numbers, places })}\n` : `${lines.join('\n')}\n`);
  } finally {
    await cloud.close();
  }
}

try {
  if (process.argv.includes('--help')) process.stdout.write(help);
  else await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`cloud-places: ${messageOf(error)}\n`);
  process.exitCode = 2;
}
