import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { choosePorts } from './choose-ports.ts';

it('a default port that is taken is replaced, and a named one is kept', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const taken = (other.address() as AddressInfo).port;
  const values = { VIGIL_HOST: '127.0.0.1', VIGIL_PORT: taken, VIGIL_SIMULATOR_PORT: taken };
  try {
    const free = await choosePorts(values, {});
    expect([free.api, free.simulator]).not.toContain(taken);
    expect(await choosePorts(values, { VIGIL_PORT: String(taken) })).toMatchObject({ api: taken });
    expect(await choosePorts(values, { VIGIL_SIMULATOR_PORT: String(taken) })).toMatchObject({ simulator: taken });
    expect(await choosePorts({ ...values, OS_AUTH_URL: 'http://cloud/v3' }, {})).toMatchObject({ api: taken });
  } finally {
    other.close();
  }
  expect(await choosePorts(values, {})).toMatchObject({ api: taken });
});
