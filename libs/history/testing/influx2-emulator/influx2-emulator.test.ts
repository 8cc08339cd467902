import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Influx2Emulator, startInflux2Emulator } from './index.ts';

describe('InfluxDB 2 emulator', () => {
  let server: Influx2Emulator;

  beforeAll(async () => {
    server = await startInflux2Emulator({ org: 'o', bucket: 'b', token: 't' });
  });
  afterAll(() => server.close());

  async function call(path: string, body?: string | Uint8Array, headers: Record<string, string> = {}) {
    const response = await fetch(`${server.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: 'Token t', ...headers },
      body,
    });
    return { status: response.status, text: await response.text() };
  }

  const query = (text: string) => call('/api/v2/query?org=o', JSON.stringify({ query: text, type: 'flux' }));
  const since = '|> range(start: 1970-01-01T00:00:00Z, stop: 2100-01-01T00:00:00Z)';

  it('reports its name', async () => {
    expect(JSON.parse((await call('/health')).text)).toMatchObject({ status: 'pass', version: 'v2.7.11' });
    expect((await call('/ping')).status).toBe(204);
    expect((await call('/api/v2/buckets?org=o')).text).toContain('"b"');
  });

  it('stores line protocol, plain and gzip, and returns annotated CSV', async () => {
    const plain = await call('/api/v2/write?org=o&bucket=b&precision=s', 'cpu,host=a,zone=z\\ 1 idle=1.5,n=3i 1000');
    const packed = await call('/api/v2/write?org=o&bucket=b&precision=ms', gzipSync('cpu,host=b idle=2.5 1000000'), {
      'content-encoding': 'gzip',
    });
    expect([plain.status, packed.status]).toEqual([204, 204]);

    const response = await query(`from(bucket: "b") ${since}
      |> filter(fn: (r) => r._field == "idle") |> group(columns: ["host"]) |> max() |> keep(columns: ["host", "_value", "_time"])`);

    expect(response.text.split('\r\n')).toEqual([
      '#datatype,string,long,string,dateTime:RFC3339,double',
      '#group,false,false,true,false,false',
      '#default,_result,,,,',
      ',result,table,host,_time,_value',
      ',,0,a,1970-01-01T00:16:40.000Z,1.5',
      '',
      '#datatype,string,long,string,dateTime:RFC3339,double',
      '#group,false,false,true,false,false',
      '#default,_result,,,,',
      ',result,table,host,_time,_value',
      ',,1,b,1970-01-01T00:16:40.000Z,2.5',
      '',
    ]);
  });

  it.each([
    ['a wrong argument', 'from(bucket: "b") |> range(strt: -1h)', 400, /invalid/],
    ['broken text', 'from(bucket:', 400, /invalid/],
    ['a bucket that is not there', 'from(bucket: "x") |> range(start: -1h)', 404, /could not find bucket/],
    [
      'a function outside the subset',
      'from(bucket: "b") |> range(start: -1h) |> last() |> limit(n: 1)',
      400,
      /no function limit/,
    ],
    ['an empty range', 'from(bucket: "b") |> range(start: -1h, stop: -2h)', 400, /empty range/],
  ])('refuses %s', async (_, text, status, reason) => {
    const response = await query(text);

    expect(response.status).toBe(status);
    expect(response.text).toMatch(reason);
  });

  it.each([
    ['no fields', 'cpu,host=a 1000'],
    ['no time', 'cpu idle=1'],
    ['a bad number', 'cpu idle=one 1000'],
  ])('refuses a line with %s', async (_, line) => {
    expect((await call('/api/v2/write?org=o&bucket=b&precision=ms', line)).status).toBe(400);
  });

  it('refuses unknown tokens, fails on request, and then serves again', async () => {
    expect((await call('/api/v2/write?org=o&bucket=b', 'm f=1 1', { authorization: 'Token x' })).status).toBe(401);
    expect((await call('/api/v2/query?org=x', '{}')).status).toBe(404);
    server.failNext(1, 503);
    expect((await call('/api/v2/buckets?org=o')).status).toBe(503);
    expect((await call('/api/v2/buckets?org=o')).status).toBe(200);
  });
});
