import { FormAlert, LoginPage, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { type CredentialForm, type Session, signIn } from '../../api/session.ts';
import { textOf } from '../../components/states.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { text } from '../../texts/texts.ts';
import { PasswordFields } from './password-fields.tsx';
import { type SignInField, SignInForm } from './sign-in-form.tsx';
import { WebSsoButtons } from './web-sso-buttons.tsx';

const reasons: Record<string, 'session.refused' | 'session.signInExpired'> = {
  refused: 'session.refused',
  'not-asked': 'session.signInExpired',
};

interface SignInPageProps {
  /** Whether a session has expired, so that the page explains it. */
  hasEnded: boolean;
  /** Sign-in methods of Keystone's federation. */
  webSso: readonly { id: string; label: string }[];
  onSignedIn: (session: Session) => void;
}

/** Sign-in by password, by application credential, or at Keystone's federation if configured. */
export function SignInPage({ hasEnded, webSso, onSignedIn }: SignInPageProps) {
  const [way, setWay] = useState<'password' | 'credential'>('password');
  const [problem, setProblem] = useState<string | null>(takeReason);
  useEffect(() => {
    document.title = text('session.documentTitle');
  }, []);
  const attempt = async (signIn: () => Promise<Session>) => {
    setProblem(null);
    try {
      onSignedIn(await signIn());
    } catch (error) {
      setProblem(textOf(error));
    }
  };
  const choose = (next: typeof way) => () => {
    setWay(next);
    setProblem(null);
  };
  return (
    <LoginPage loginTitle={text('session.title')} loginSubtitle={text('session.subtitle')} className="vigil-sign-in">
      {hasEnded && !problem && (
        <FormAlert>
          <Alert isInline variant="info" title={text('session.ended')} isLiveRegion />
        </FormAlert>
      )}
      {problem && (
        <FormAlert>
          <Alert isInline variant="danger" title={problem} isLiveRegion />
        </FormAlert>
      )}
      <WebSsoButtons choices={webSso} onProblem={setProblem} />
      <ToggleGroup aria-label={text('session.method')} className="vigil-sign-in-ways">
        <ToggleGroupItem
          text={text('session.byPassword')}
          buttonId="sign-in-by-password"
          isSelected={way === 'password'}
          onChange={choose('password')}
        />
        <ToggleGroupItem
          text={text('session.byCredential')}
          buttonId="sign-in-by-credential"
          isSelected={way === 'credential'}
          onChange={choose('credential')}
        />
      </ToggleGroup>
      {way === 'password' ? <PasswordFields onAttempt={attempt} /> : <CredentialFields onAttempt={attempt} />}
    </LoginPage>
  );
}

/** Reason for which Keystone's page returned without a sign-in. Shown once. */
function takeReason(): string | null {
  const url = new URL(location.href);
  const reason = reasons[url.searchParams.get('sign-in') ?? ''];
  if (!reason) return null;
  url.searchParams.delete('sign-in');
  history.replaceState(history.state, '', url);
  return text(reason);
}

const credentialFields: readonly SignInField<keyof CredentialForm>[] = [
  { name: 'application_credential_id', label: 'session.credentialId', autoComplete: 'off' },
  { name: 'application_credential_secret', label: 'session.credentialSecret', isSecret: true, autoComplete: 'off' },
];
const noCredential = { application_credential_id: '', application_credential_secret: '' };

/** Sign-in with an application credential, which determines user and project. Nothing is remembered. */
function CredentialFields({ onAttempt }: { onAttempt: (signIn: () => Promise<Session>) => Promise<void> }) {
  return (
    <SignInForm fields={credentialFields} initial={noCredential} onSubmit={(form) => onAttempt(() => signIn(form))} />
  );
}
