import { type AuditForm, emptyForm } from './audit-form.ts';
import { BrokenJson } from './parameter-spec.ts';

const key = 'vigil-audit-draft';

/** Stores the form for this tab, so that it survives leaving the wizard. */
export function keepDraft(form: AuditForm, store: Storage = sessionStorage): void {
  store.setItem(
    key,
    JSON.stringify(form, (_name, value) => (value instanceof BrokenJson ? undefined : value)),
  );
}

/** Stored form that was not sent. Null if there is none. */
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

/** Deletes it. */
export function dropDraft(store: Storage = sessionStorage): void {
  store.removeItem(key);
}
