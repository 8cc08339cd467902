const parts = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/**
 * One URL for each host of a URL whose address is a list, such as `postgres://user@a:5432,b:5432/vigil`; as it is with one
 * host. Whether the results are URLs is not looked at.
 */
export function urlPerHost(text: string): string[] {
  const [, begin, hosts = '', rest] = parts.exec(text) ?? [];
  if (begin === undefined) return [text];
  return hosts.split(',').map((host) => `${begin}${host}${rest ?? ''}`);
}
