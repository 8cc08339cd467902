import { createHmac } from 'node:crypto';

/** Replaces the texts of a cloud. The same key and text always result in the same pseudonym. */
export interface Pseudonyms {
  /** Pseudonym such as `host-1f0c9a7755e2b3d8`. `prefix` is the kind of the text. */
  name(prefix: string, text: string): string;
  uuid(uuid: string): string;
  /** Pseudonym of upper-case letters and digits, for traits and resource classes. */
  constant(text: string): string;
}

const shownDigits = 16;

/** Creates pseudonyms by HMAC-SHA256 with a key that only the operator has. */
export function createPseudonyms(key: Buffer): Pseudonyms {
  const digest = (text: string) => createHmac('sha256', key).update(text).digest('hex');
  const name: Pseudonyms['name'] = (prefix, text) => `${prefix}-${digest(text).slice(0, shownDigits)}`;
  return {
    name,
    uuid(uuid) {
      const hex = digest(uuid.toLowerCase());
      const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
      return [...parts, hex.slice(20, 32)].join('-');
    },
    constant: (text) => `CUSTOM_${digest(text).slice(0, shownDigits).toUpperCase()}`,
  };
}
