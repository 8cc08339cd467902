import type { JsonObject, JsonValue } from '#libs/domain';

const secretKey = /pass(word|wd)?$|secret|token|credential|api_?key|private_?key/i;
const secretText = /\b(pass(?:word|wd)?|secret|token|api_?key)(["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi;
const mask = '***';

/** The same object with the values of keys that sound like secrets masked, at any depth. */
export function maskSecrets(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, secretKey.test(key) && inner !== null ? mask : maskValue(inner)]),
  );
}

function maskValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value === 'string') return maskText(value);
  return typeof value === 'object' && value !== null ? maskSecrets(value) : value;
}

/** A text without what follows `password=` and the like. */
export function maskText(text: string): string {
  return text.replace(secretText, `$1$2${mask}`);
}
