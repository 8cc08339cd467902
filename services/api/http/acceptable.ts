/** Media ranges that JSON satisfies; XML is asked for by nobody who can not read JSON too. */
const served = ['*/*', 'application/*', 'application/json', 'text/javascript', 'application/javascript'];
const alsoAnswered = ['application/xml', 'text/xml'];

/** Whether a client with this `Accept` header takes JSON. A missing, empty or unreadable header takes anything. */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return true;
  const ranges = header.split(',').map(readRange);
  if (ranges.some(({ type }) => !type.includes('/'))) return true;
  return ranges.some(({ type, weight }) => weight > 0 && [...served, ...alsoAnswered].includes(type));
}

function readRange(text: string): { type: string; weight: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = quality === undefined ? 1 : Number(quality);
  return { type, weight: Number.isNaN(weight) ? 1 : weight };
}
