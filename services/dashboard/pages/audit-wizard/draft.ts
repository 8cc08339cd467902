import { type AuditForm, emptyForm } from './audit-form.ts';
import { BrokenJson } from './parameter-spec.ts';

const key = 'vigil-audit-draft';

/** Keeps what was filled in for this tab, for who leaves the wizard and returns. */
export function keepDraft(form: AuditForm, store: Storage = sessionStorage): void {
  store.setItem(
    key,
    JSON.stringify(form, (_name, value) => (value instanceof BrokenJson ? undefined : value)),
  );
}

/** Draft that was filled in and not sent. Null when there is none. */
export function readDraft(store: Storage = sessionStorage): AuditForm | null {
  const text = store.getItem(key);
  if (text === null) return null;
  try {
    const form: Partial<AuditForm> = JSON.parse(text);
    return { ...emptyForm, ...form };
  } catch {
    return null;
  }
}

/** Forgets it. */
export function dropDraft(store: Storage = sessionStorage): void {
  store.removeItem(key);
}
