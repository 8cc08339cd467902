import { type EnvKey, list } from '#libs/service-kit/env';

/** A way to sign in through Keystone's federation. */
export interface WebSsoChoice {
  /** `<protocol>` or `<identity provider>/<protocol>`, as Keystone knows them. */
  id: string;
  /** Label of its button. */
  label: string;
}

/** The configured web sign-in through Keystone. */
export interface WebSso {
  /** Keystone's URL as browsers reach it, with `/v3`. */
  keystoneUrl: string;
  choices: readonly WebSsoChoice[];
}

const choicePattern = /^([\w.-]+(?:\/[\w.-]+)?)(?:=(.{1,80}))?$/;

/**
 * A configuration key of sign-in methods: `<protocol>[=<text>]` or `<identity provider>/<protocol>[=<text>]`, separated
 * by commas.
 */
export function webSsoChoices(options: { description: string }): EnvKey<WebSsoChoice[]> {
  const texts = list(options);
  return {
    ...texts,
    parse: (given) =>
      texts.parse(given).map((text) => {
        const [, id, label] = choicePattern.exec(text) ?? [];
        if (id === undefined) throw new Error(`must be like "openid=Company account" or "acme/saml2", not "${text}"`);
        return { id, label: label?.trim() || id };
      }),
  };
}

/** Configured methods. Null when there is none, or when the public URL of Keystone is not configured. */
export function webSsoOf(choices: readonly WebSsoChoice[], keystoneUrl: string | undefined): WebSso | null {
  if (choices.length === 0 || !keystoneUrl) return null;
  const base = keystoneUrl.replace(/\/+$/, '');
  return { choices, keystoneUrl: base.endsWith('/v3') ? base : `${base}/v3` };
}

/**
 * URL where a browser starts to sign in. Keystone posts the token to `origin`, which must be one of its
 * `trusted_dashboard`.
 */
export function webSsoUrl({ keystoneUrl }: WebSso, { id }: WebSsoChoice, origin: string): string {
  const [provider = '', protocol] = id.split('/');
  const path =
    protocol === undefined ? `websso/${provider}` : `identity_providers/${provider}/protocols/${protocol}/websso`;
  return `${keystoneUrl}/auth/OS-FEDERATION/${path}?origin=${encodeURIComponent(origin)}`;
}
