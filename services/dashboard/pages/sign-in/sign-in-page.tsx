import { Alert, Button, Form, FormAlert, FormGroup, LoginPage, TextInput } from '@patternfly/react-core';
import { type FormEvent, useEffect, useState } from 'react';
import { type Session, type SignInForm, signIn } from '../../api/session.ts';
import { textOf } from '../../components/states.tsx';

const storageKey = 'vigil-sign-in';
const fields = [
  { name: 'user', label: 'User name', autoComplete: 'username' },
  { name: 'password', label: 'Password', autoComplete: 'current-password' },
  { name: 'user_domain', label: 'User domain', autoComplete: 'on' },
  { name: 'project', label: 'Project', autoComplete: 'on' },
  { name: 'project_domain', label: 'Project domain', autoComplete: 'on' },
] as const;

interface SignInPageProps {
  /** Whether a session has ended by itself, so that people know why they are here. */
  hasEnded: boolean;
  onSignedIn: (session: Session) => void;
}

/** Sign-in with the words of Horizon and of `OS_*`. What is typed is remembered, but for the password. */
export function SignInPage({ hasEnded, onSignedIn }: SignInPageProps) {
  const [form, setForm] = useState<SignInForm>(remembered);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Vigil';
  }, []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const session = await signIn(form);
      const { password: _password, ...rest } = form;
      localStorage.setItem(storageKey, JSON.stringify(rest));
      onSignedIn(session);
    } catch (error) {
      setProblem(textOf(error));
      setBusy(false);
    }
  };
  const isFilled = fields.every(({ name }) => form[name] !== '');
  return (
    <LoginPage loginTitle="Sign in to Vigil" loginSubtitle="With your OpenStack account" className="vigil-sign-in">
      <Form onSubmit={(event) => void submit(event)}>
        {hasEnded && !problem && (
          <FormAlert>
            <Alert
              isInline
              variant="info"
              title="Your session has ended. Sign in to go on where you were."
              isLiveRegion
            />
          </FormAlert>
        )}
        {problem && (
          <FormAlert>
            <Alert isInline variant="danger" title={problem} isLiveRegion />
          </FormAlert>
        )}
        {fields.map((field) => (
          <FormGroup key={field.name} label={field.label} fieldId={`sign-in-${field.name}`} isRequired>
            <TextInput
              id={`sign-in-${field.name}`}
              name={field.name}
              type={field.name === 'password' ? 'password' : 'text'}
              autoComplete={field.autoComplete}
              isRequired
              value={form[field.name]}
              onChange={(_event, value) => setForm({ ...form, [field.name]: value })}
            />
          </FormGroup>
        ))}
        <Button type="submit" isBlock isLoading={isBusy} isDisabled={isBusy || !isFilled}>
          Sign in
        </Button>
      </Form>
    </LoginPage>
  );
}

function remembered(): SignInForm {
  const empty = { user: '', user_domain: 'Default', password: '', project: '', project_domain: 'Default' };
  try {
    const known: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    return typeof known === 'object' && known !== null ? { ...empty, ...known, password: '' } : empty;
  } catch {
    return empty;
  }
}
