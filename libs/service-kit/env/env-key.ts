const parts = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** One configuration key: its parser and its purpose. The documentation is generated from these. */
export interface EnvKey<Value> {
  /** Purpose for operators, with the unit. */
  description: string;
  /** Shown in the documentation. `undefined` prints as "none". */
  defaultText: string | undefined;
  /** Never printed or logged. `<NAME>_FILE` may name a file with the value. */
  secret: boolean;
  /** Whether a running process reloads the value from its files. Other keys need a restart. */
  reloadable: boolean;
  /** JSON schema of the value, for the configuration schema of a service type. */
  schema: Record<string, unknown>;
  /** @throws Error with a reason that follows the name of the key in a sentence, such as "must be a whole number". */
  parse(text: string | undefined): Value;
}

interface KeyOptions<Value> {
  description: string;
  default?: Value;
  secret?: boolean;
  /** Default false. Readers of the key must read `ServiceContext.env` each time, or use `ServiceContext.follow`. */
  reloadable?: boolean;
}

/** A text. `undefined` when absent and without a default. */
export function text(options: KeyOptions<string> & { default: string }): EnvKey<string>;
export function text(options: KeyOptions<string>): EnvKey<string | undefined>;
export function text(options: KeyOptions<string>): EnvKey<string | undefined> {
  return makeKey(options, { type: 'string' }, options.default, (given) => given);
}

/** A whole number within inclusive bounds. */
export function integer(options: KeyOptions<number> & { default: number; min: number; max: number }): EnvKey<number>;
export function integer(options: KeyOptions<number> & { min: number; max: number }): EnvKey<number | undefined>;
export function integer(options: KeyOptions<number> & { min: number; max: number }): EnvKey<number | undefined> {
  const schema = { type: 'integer', minimum: options.min, maximum: options.max };
  return makeKey(options, schema, options.default?.toString(), (given) => {
    const value = Number(given);
    if (!/^-?\d+$/.test(given) || value < options.min || value > options.max)
      throw new Error(`must be a whole number from ${options.min} to ${options.max}, not "${given}"`);
    return value;
  });
}

/** A number within inclusive bounds. */
export function number(options: KeyOptions<number> & { default: number; min: number; max: number }): EnvKey<number>;
export function number(options: KeyOptions<number> & { min: number; max: number }): EnvKey<number | undefined>;
export function number(options: KeyOptions<number> & { min: number; max: number }): EnvKey<number | undefined> {
  const schema = { type: 'number', minimum: options.min, maximum: options.max };
  return makeKey(options, schema, options.default?.toString(), (given) => {
    const value = Number(given);
    if (given === '' || !Number.isFinite(value) || value < options.min || value > options.max)
      throw new Error(`must be a number from ${options.min} to ${options.max}, not "${given}"`);
    return value;
  });
}

/** `true` or `false` (also 1/0, yes/no, on/off). */
export function flag(options: KeyOptions<boolean> & { default: boolean }): EnvKey<boolean> {
  return makeKey(options, { type: 'boolean' }, options.default.toString(), (given) => {
    if (/^(true|1|yes|on)$/i.test(given)) return true;
    if (/^(false|0|no|off)$/i.test(given)) return false;
    throw new Error(`must be true or false, not "${given}"`);
  }) as EnvKey<boolean>;
}

/** Name of a time zone, such as `Europe/Berlin`, in the spelling of the IANA database. */
export function timeZone(options: KeyOptions<string> & { default: string }): EnvKey<string> {
  return makeKey(options, { type: 'string' }, options.default, (given) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone;
    } catch (error) {
      throw new Error(`must be a time zone such as UTC or Europe/Berlin, not "${given}"`, { cause: error });
    }
  }) as EnvKey<string>;
}

/** A text that `parse` turns into a value, such as JSON. `parse` throws the reason. */
export function parsed<Value>(
  options: Omit<KeyOptions<string>, 'default'> & {
    default: string;
    schema: Record<string, unknown>;
    parse: (given: string) => Value;
  },
): EnvKey<Value> {
  return makeKey(options, options.schema, options.default, options.parse) as EnvKey<Value>;
}

/** One of a few words. */
export function choice<const Word extends string>(
  options: KeyOptions<Word> & { default: Word; words: readonly Word[] },
): EnvKey<Word> {
  return makeKey(options, { enum: options.words }, options.default, (given) => {
    const word = options.words.find((candidate) => candidate === given);
    if (!word) throw new Error(`must be one of ${options.words.join(', ')}, not "${given}"`);
    return word;
  }) as EnvKey<Word>;
}

/** Several of a few words, separated by commas. Their order is kept. */
export function choices<const Word extends string>(
  options: Omit<KeyOptions<unknown>, 'default'> & { default: readonly Word[]; words: readonly Word[] },
): EnvKey<Word[]> {
  const one = choice<Word>({ ...options, default: options.words[0] as Word });
  const key = list({ ...options, default: options.default.join(',') });
  const schema = { type: 'array', items: { enum: options.words } };
  return { ...key, schema, parse: (given) => key.parse(given).map((word) => one.parse(word)) };
}

interface UrlOptions extends KeyOptions<string> {
  schemes: readonly string[];
  /** Whether it may have several hosts, separated by commas. Default false. */
  hosts?: boolean;
}

/** A URL with one of the given schemes, such as `['postgres:', 'postgresql:']`. Kept as text. */
export function url(options: UrlOptions & { default: string }): EnvKey<string>;
export function url(options: UrlOptions): EnvKey<string | undefined>;
export function url(options: UrlOptions): EnvKey<string | undefined> {
  const pattern = `^(${options.schemes.join('|')})//`;
  return makeKey(options, { type: 'string', pattern }, options.default, (given) => {
    const hosts = options.hosts ? urlPerHost(given) : [given];
    const isUrl = (text: string) => URL.canParse(text) && options.schemes.includes(new URL(text).protocol);
    // The error does not repeat the text, which may contain a password.
    if (!hosts.every(isUrl))
      throw new Error(`must be a URL that starts with ${options.schemes.map((scheme) => `${scheme}//`).join(' or ')}`);
    return given;
  });
}

/** URLs like those of `url`, separated by commas. An empty list when absent. */
export function urls(options: KeyOptions<string> & { schemes: readonly string[] }): EnvKey<string[]> {
  const one = url(options);
  const key = list(options);
  const parse = (given: string | undefined) => key.parse(given).map((text) => one.parse(text) ?? text);
  return { ...key, parse };
}

/** Words separated by commas. An empty list when absent. */
export function list(options: KeyOptions<string>): EnvKey<string[]> {
  return makeKey(options, { type: 'array', items: { type: 'string' } }, options.default ?? '', (given) =>
    given
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ) as EnvKey<string[]>;
}

const headerPair = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*([\t\x20-\x7e]*)$/;

/** Headers of HTTP requests as `name=value`, separated by commas. None when absent. */
export function httpHeaders(options: Omit<KeyOptions<unknown>, 'default'>): EnvKey<Record<string, string>> {
  const key = list(options);
  return {
    ...key,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    parse(given) {
      const pairs = key.parse(given).map((pair) => headerPair.exec(pair));
      // The error does not repeat the text, which may contain a token.
      if (pairs.includes(null)) throw new Error('must be headers such as `name=value`, separated by commas');
      return Object.fromEntries(pairs.map((pair) => [String(pair?.[1]).toLowerCase(), String(pair?.[2])]));
    },
  };
}

function makeKey<Value>(
  options: KeyOptions<unknown>,
  schema: Record<string, unknown>,
  defaultText: string | undefined,
  read: (given: string) => Value,
): EnvKey<Value | undefined> {
  return {
    description: options.description,
    defaultText,
    secret: options.secret ?? false,
    reloadable: options.reloadable ?? false,
    schema,
    parse: (given) => {
      const present = given !== undefined && given !== '' ? given : defaultText;
      return present === undefined ? undefined : read(present);
    },
  };
}

/**
 * One URL for each host of a URL with a list of hosts, such as `postgres://user@a:5432,b:5432/vigil`. Unchanged with
 * one host. The results are not validated as URLs.
 */
export function urlPerHost(text: string): string[] {
  const [, begin, hosts = '', rest] = parts.exec(text) ?? [];
  if (begin === undefined) return [text];
  return hosts.split(',').map((host) => `${begin}${host}${rest ?? ''}`);
}
