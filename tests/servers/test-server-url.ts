import { type TestServerName, testServerVariables } from './test-server.ts';

/** URL of a test server, set by the global setup. @throws Error that says how to get one. */
export function testServerUrl(name: TestServerName): string {
  const variable = testServerVariables[name];
  const url = process.env[variable];
  if (url) return url;
  throw new Error(
    `${variable} is not set. The global setup of the test runner starts ${name} and sets it, unless VIGIL_TEST_SERVERS ` +
      `leaves ${name} out; or set it to the URL of a server that tests may write to.`,
  );
}
