import { Button, LoginPage } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import { listProjects, type Project } from '../../api/session.ts';
import { Failure, Loading, textOf } from '../../components/states.tsx';
import { Alert } from '../../components/worded-parts.tsx';
import { text } from '../../texts/texts.ts';

/** Shown after a sign-in that is valid for several projects. */
export function ChooseProjectPage({ onChosen }: { onChosen: (id: string) => Promise<void> }) {
  const [projects, setProjects] = useState<Project[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    listProjects().then(setProjects, setError);
  }, []);
  if (error !== null) return <Failure title={text('session.unreachable')} error={error} />;
  if (!projects) return <Loading what={text('session.projects')} />;
  const choose = (id: string) => onChosen(id).catch((reason: unknown) => setProblem(textOf(reason)));
  return (
    <LoginPage
      loginTitle={text('session.chooseProject')}
      loginSubtitle={text('session.chooseProjectHint')}
      className="vigil-sign-in"
    >
      {problem && <Alert isInline variant="danger" title={problem} isLiveRegion />}
      {projects.length === 0 && <p>{text('session.noProject')}</p>}
      {projects.map(({ id, name }) => (
        <Button key={id} variant="secondary" isBlock className="vigil-web-sso" onClick={() => void choose(id)}>
          {name}
        </Button>
      ))}
    </LoginPage>
  );
}
