/**
 * The explanation inside a refusal, in any of its shapes: Nova and Cinder `{"conflictingRequest": {"message"}}`,
 * Keystone and the token middleware `{"error": {"message"}}`, Placement `{"errors": [{"detail"}]}`, Ironic
 * `{"error_message"}`. Null without an explanation.
 */
export function faultText(body: unknown): string | null {
  if (!isObject(body)) return null;
  if (Array.isArray(body.errors)) return fromErrorList(body.errors);
  if (body.error_message !== undefined) return fromIronic(body.error_message);
  for (const value of Object.values(body)) {
    if (isObject(value) && typeof value.message === 'string' && value.message !== '') return value.message;
  }
  return typeof body.message === 'string' ? body.message : null;
}

function fromErrorList(errors: unknown[]): string | null {
  const first = errors[0];
  if (!isObject(first)) return null;
  const text = first.detail ?? first.title;
  return typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : null;
}

function fromIronic(value: unknown): string | null {
  if (isObject(value)) return typeof value.faultstring === 'string' ? value.faultstring : null;
  if (typeof value !== 'string') return null;
  try {
    const inner: unknown = JSON.parse(value);
    return isObject(inner) && typeof inner.faultstring === 'string' ? inner.faultstring : value;
  } catch {
    return value;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
