import { Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import { useState } from 'react';
import { listProjects, type Project } from '../api/session.ts';
import { useNotices } from '../components/notices.tsx';
import { useDashboard } from '../live/dashboard-context.tsx';
import { text } from '../texts/texts.ts';

/** The current project. The others are loaded when the user searches for them. */
export function ProjectSwitch() {
  const { session, enterProject } = useDashboard();
  const [isOpen, setOpen] = useState(false);
  const [projects, setProjects] = useState<Project[]>([]);
  const notices = useNotices();
  const current = session.project ?? '';
  const failed = (error: unknown) => notices.failure(text('session.switchFailed', { project: current }), error);
  const toggle = () => {
    setOpen(!isOpen);
    if (!isOpen) listProjects().then(setProjects, failed);
  };
  const choose = (id: string | number | undefined) => {
    setOpen(false);
    if (id !== session.project_id) enterProject(String(id)).catch(failed);
  };
  return (
    <Dropdown
      isOpen={isOpen}
      isScrollable
      onOpenChange={setOpen}
      onSelect={(_event, id) => choose(id)}
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plainText"
          isExpanded={isOpen}
          onClick={toggle}
          aria-label={text('session.switchProject', { project: current })}
        >
          {current}
        </MenuToggle>
      )}
    >
      <DropdownList>
        {projects.map(({ id, name, domain_id }) => (
          <DropdownItem
            key={id}
            value={id}
            isSelected={id === session.project_id}
            description={isSameName(projects, name) ? text('session.domain', { domain: domain_id ?? '' }) : undefined}
          >
            {name}
          </DropdownItem>
        ))}
      </DropdownList>
    </Dropdown>
  );
}

/** Projects of different domains may have the same name. */
function isSameName(projects: readonly Project[], name: string): boolean {
  return projects.filter((project) => project.name === name).length > 1;
}
