import { Button, Divider } from '@patternfly/react-core';
import { rememberPlace } from '../../api/saved-place.ts';
import { startWebSso } from '../../api/session.ts';
import { textOf } from '../../components/states.tsx';

interface WebSsoButtonsProps {
  choices: readonly { id: string; label: string }[];
  onProblem: (problem: string) => void;
}

/** A button for each sign-in method of Keystone's federation. The browser leaves the page and returns signed in. */
export function WebSsoButtons({ choices, onProblem }: WebSsoButtonsProps) {
  if (choices.length === 0) return null;
  const go = async (id: string) => {
    try {
      const url = await startWebSso(id);
      rememberPlace();
      location.assign(url);
    } catch (error) {
      onProblem(textOf(error));
    }
  };
  return (
    <>
      {choices.map(({ id, label }) => (
        <Button key={id} variant="secondary" isBlock className="vigil-web-sso" onClick={() => void go(id)}>
          {label}
        </Button>
      ))}
      <Divider className="vigil-web-sso-divider" />
    </>
  );
}
