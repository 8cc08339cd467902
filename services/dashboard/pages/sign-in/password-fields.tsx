import { type PasswordForm, type Session, signIn } from '../../api/session.ts';
import { type SignInField, SignInForm } from './sign-in-form.tsx';

const storageKey = 'vigil-sign-in';
const fields: readonly SignInField<keyof PasswordForm>[] = [
  { name: 'user', label: 'session.user', autoComplete: 'username' },
  { name: 'password', label: 'session.password', isSecret: true, autoComplete: 'current-password' },
  { name: 'user_domain', label: 'session.userDomain', autoComplete: 'on' },
  { name: 'project', label: 'session.project', autoComplete: 'on' },
  { name: 'project_domain', label: 'session.projectDomain', autoComplete: 'on' },
];

interface FieldsProps {
  onAttempt: (signIn: () => Promise<Session>) => Promise<void>;
}

/** Sign-in with the terms of Horizon and of `OS_*`. The browser remembers the values except for the password. */
export function PasswordFields({ onAttempt }: FieldsProps) {
  const submit = (form: PasswordForm) =>
    onAttempt(async () => {
      const session = await signIn(form);
      const { password: _password, ...rest } = form;
      localStorage.setItem(storageKey, JSON.stringify(rest));
      return session;
    });
  return <SignInForm fields={fields} initial={remembered()} onSubmit={submit} />;
}

function remembered(): PasswordForm & Record<keyof PasswordForm, string> {
  const empty = { user: '', user_domain: 'Default', password: '', project: '', project_domain: 'Default' };
  try {
    const known: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    return typeof known === 'object' && known !== null ? { ...empty, ...known, password: '' } : empty;
  } catch {
    return empty;
  }
}
