import { describe, expect, it } from 'vitest';
import { silentLogger as logger, OperatorError } from '#libs/domain';
import { createHistory, createHistoryWriter } from './create-history.ts';

const clock = { now: () => 0 };
const influxUrl = 'http://127.0.0.1:8086/vigil';
const databaseUrl = 'postgres://vigil@127.0.0.1:5432/vigil';

describe('createHistory', () => {
  it('uses InfluxDB when it has a URL, and the database otherwise', async () => {
    const chosen = [
      createHistory({ influxUrl, databaseUrl, logger, clock }),
      createHistory({ databaseUrl, logger, clock }),
      createHistory({ influxUrl: '', databaseUrl, logger, clock }),
    ];

    expect(chosen.map(({ name }) => name)).toEqual(['influxdb', 'postgres', 'postgres']);
    for (const history of chosen) await history.close();
  });

  it('does not prune InfluxDB, which has a retention policy', async () => {
    await expect(createHistory({ influxUrl, logger, clock }).prune(60)).resolves.toBeUndefined();
  });

  it('gives writers no reader', () => {
    expect(Object.keys(createHistoryWriter({ influxUrl, logger, clock })).sort()).toEqual(['close', 'prune', 'write']);
  });

  it('reports all missing and invalid settings together', () => {
    expect(() => createHistory({ logger, clock })).toThrow(OperatorError);
    expect(() => createHistory({ logger, clock })).toThrow(/set VIGIL_INFLUX_URL or VIGIL_DATABASE_URL/);
    expect(() => createHistory({ influxUrl: 'influx:8086', databaseUrl, logger, clock })).toThrow(/VIGIL_INFLUX_URL/);
  });
});
