import { type CredentialForm, type Session, signIn } from '../../api/session.ts';
import { type SignInField, SignInForm } from './sign-in-form.tsx';

const fields: readonly SignInField<keyof CredentialForm>[] = [
  { name: 'application_credential_id', label: 'session.credentialId', autoComplete: 'off' },
  { name: 'application_credential_secret', label: 'session.credentialSecret', isSecret: true, autoComplete: 'off' },
];
const empty = { application_credential_id: '', application_credential_secret: '' };

/** Sign-in with an application credential, which says who and in which project. Nothing of it is remembered. */
export function CredentialFields({ onAttempt }: { onAttempt: (signIn: () => Promise<Session>) => Promise<void> }) {
  return <SignInForm fields={fields} begin={empty} onSubmit={(form) => onAttempt(() => signIn(form))} />;
}
