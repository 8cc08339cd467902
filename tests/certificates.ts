import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this machine can make certificates. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A private authority, a server of 127.0.0.1 and a client `vigil-client`, both certified by it: paths of PEM files. */
export interface TestCertificates {
  ca: string;
  server: { cert: string; key: string };
  client: { cert: string; key: string };
  /** Files that `?cacertfile=…&certfile=…&keyfile=…` of a client's URL names. */
  parameters: { cacertfile: string; certfile: string; keyfile: string };
  /** Options of a server in Node that requires certificates of its clients. */
  options(): { ca: Buffer; cert: Buffer; key: Buffer; requestCert: true; rejectUnauthorized: true };
  remove(): void;
}

/** Makes them with openssl, valid for two days, in `folder` or a new one, which `remove` removes. */
export function makeCertificates(folder = mkdtempSync(join(tmpdir(), 'vigil-tls-'))): TestCertificates {
  const file = (name: string) => join(folder, name);
  const openssl = (command: string, ...more: string[]) =>
    execFileSync('openssl', [...command.split(' '), ...more], { stdio: 'ignore', cwd: folder });
  const newKey = 'req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  openssl(`${newKey} -x509 -days 2 -subj /CN=authority -keyout authority.key -out authority.pem`);
  for (const [name, subject] of [
    ['server', 'vigil'],
    ['client', 'vigil-client'],
  ]) {
    const names = ['-addext', 'subjectAltName=IP:127.0.0.1'];
    openssl(`${newKey} -subj /CN=${subject} -keyout ${name}.key -out ${name}.csr`, ...names);
    openssl(
      `x509 -req -in ${name}.csr -CA authority.pem -CAkey authority.key -days 2 -copy_extensions copy -out ${name}.pem`,
    );
  }
  const server = { cert: file('server.pem'), key: file('server.key') };
  const client = { cert: file('client.pem'), key: file('client.key') };
  const ca = file('authority.pem');
  return {
    ca,
    server,
    client,
    parameters: { cacertfile: ca, certfile: client.cert, keyfile: client.key },
    options: () => ({
      ca: readFileSync(ca),
      cert: readFileSync(server.cert),
      key: readFileSync(server.key),
      requestCert: true,
      rejectUnauthorized: true,
    }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
