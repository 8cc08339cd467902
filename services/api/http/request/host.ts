/** `name`, `name:port`, `[v6]` or `[v6]:port`. */
const hostPattern = /^(\[[0-9a-f:.]+\]|[\w.~-]+)(?::(\d{1,5}))?$/i;

/**
 * The name or address in a `Host` header, in lower case and without brackets. Null when the text cannot be a host with
 * a port.
 */
export function hostnameOf(host: string): string | null {
  const name = hostPattern.exec(host)?.[1];
  if (name === undefined || !URL.canParse(`http://${host}`)) return null;
  return name.toLowerCase().replace(/^\[|\]$/g, '');
}

/** Whether a host is the local host, by name or address. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
