import { describe, expect, it } from 'vitest';
import { OperatorError } from '#libs/domain';
import { parseInfluxTarget } from './influx-target.ts';

describe('parseInfluxTarget', () => {
  it('reads the form of 2.x', () => {
    const target = parseInfluxTarget('https://influx.example:8086/?org=ops&bucket=my%20bucket&token=s3cret&version=2');

    expect(target).toMatchObject({
      origin: 'https://influx.example:8086',
      label: 'influx.example:8086/my bucket',
      version: '2',
      org: 'ops',
      bucket: 'my bucket',
      token: 's3cret',
      database: undefined,
    });
  });

  it('reads the form of 1.x, with characters that must be encoded', () => {
    const target = parseInfluxTarget('http://me%40home:p%2Fw%3A@db:8086/my%20data?create=false');

    expect(target).toMatchObject({
      label: 'db:8086/my data',
      version: 'auto',
      user: 'me@home',
      password: 'p/w:',
      database: 'my data',
      createDatabase: false,
    });
  });

  it('prefers a separate token to the one in the URL', () => {
    const url = 'http://h:8086/?org=o&bucket=b&token=old';

    expect(parseInfluxTarget(url, { token: 'new' }).token).toBe('new');
    expect(parseInfluxTarget(url, { token: '' }).token).toBe('old');
  });

  it.each([
    ['influx:8086', /not an http or https URL/],
    ['not a url', /not an http or https URL/],
    ['http://h:8086/', /neither a bucket nor a database/],
    ['http://h:8086/?version=2&bucket=b&token=t', /needs org/],
    ['http://h:8086/?version=2&org=o', /needs bucket and token/],
    ['http://h:8086/db?version=4', /version=4 must be auto, 1, 2 or 3/],
    ['http://h:8086/db?create=maybe', /create=maybe/],
    ['http://h:8086/db?orgg=x', /unknown parameter orgg/],
    ['http://h:8086/a/b', /one database name/],
    ['http://h:8086/%zz', /percent sign/],
    ['http://:pw@h:8086/db', /password without a user/],
  ])('refuses %s', (url, reason) => {
    expect(() => parseInfluxTarget(url)).toThrow(OperatorError);
    expect(() => parseInfluxTarget(url)).toThrow(reason);
  });

  it('never shows a secret in its errors or its label', () => {
    const urls = [
      'http://user:hunter2@h:8086/a/b?token=hunter2',
      'http://user:hunter2@h:8086/?token=hunter2',
      'http://user:hunter2@h:8086/db?token=hunter2&version=9',
      'ftp://user:hunter2@h:8086/db',
    ];
    for (const url of urls) {
      expect(() => parseInfluxTarget(url)).toThrow(
        expect.not.objectContaining({ message: expect.stringMatching(/hunter2/) }),
      );
    }
    expect(parseInfluxTarget('http://user:hunter2@h:8086/db?token=hunter2').label).not.toMatch(/hunter2/);
  });
});
