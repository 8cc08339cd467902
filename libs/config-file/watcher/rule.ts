/** Translation of an option of Watcher. `folder` is that of the file in which it stands, null in the environment. */
export type OptionRule =
  | { variables: (value: string, request: Ask, folder: string | null) => Record<string, string>; note?: string }
  | { notNeeded: string }
  | { toDo: (value: string, request: Ask) => string | null };

/** The value of another option of the same file, with references replaced. Undefined when it is not set. */
export type Ask = (group: string, option: string) => string | undefined;

/**
 * Rules by option. Names have `_` where a file may have `-`. A rule may stand under several names (deprecated ones).
 */
export type GroupRules = Readonly<Record<string, OptionRule>>;

/** The same value under another name. */
export function renamed(variable: string, note?: string): OptionRule {
  return { variables: (value) => ({ [variable]: value }), note };
}

/** Something that Vigil has no use for, and why. */
export function notNeeded(reason: string): OptionRule {
  return { notNeeded: reason };
}

/** Whether a text means yes for oslo.config. */
export function isTrue(text: string | undefined): boolean {
  return /^(true|1|yes|on)$/i.test(text ?? '');
}

/** A list option of oslo.config without blanks. */
export function withoutBlanks(text: string): string {
  return text
    .replaceAll(/[[\]'"]/g, '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(',');
}

/** A dict option as `name<separator>value` entries. Oslo.config writes `name:value`. */
export function entries(text: string, separator: string): string {
  return withoutBlanks(text)
    .split(',')
    .map((part) => part.replace(/\s*:\s*/, separator))
    .join(',');
}
