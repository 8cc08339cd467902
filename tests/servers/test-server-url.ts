import { type TestServerName, testServerVariables } from './test-server.ts';

/** URL of a test server, set by the global setup. @throws Error that says how to get one. */
export function testServerUrl(name: TestServerName): string {
  const variable = testServerVariables[name];
  const url = process.env[variable];
  if (url) return url;
  throw new Error(
    `${variable} is not set. Does the test file declare the server? A line "// @needs ${name}" at its top does, and so does ` +
      `the suffix of some kinds. The global setup then starts it, unless VIGIL_TEST_SERVERS leaves ${name} out.`,
  );
}
